"""Calls of the functions of an FMU in random order, with good and bad arguments; prints how many steps were made.

python random_calls.py LIBRARY VERSION TOKEN VARIABLES CALLS [SEED [RESOURCES]]

With the folder of resources, which an FMU of pythonfmu needs, the arguments that end that library are left out: null
pointers; and after a step that is refused, such as after a run that ended by a wrong call, it goes back to the start.
"""

from __future__ import annotations

import ctypes
import random
import sys
from ctypes import CFUNCTYPE, Structure, byref, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint32, c_void_p

LOGGER_2 = CFUNCTYPE(None, c_void_p, c_char_p, c_int, c_char_p, c_char_p, c_char_p)
LOGGER_3 = CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_char_p)


class Callbacks(Structure):
    _fields_ = [
        ("logger", LOGGER_2),
        ("allocate", c_void_p),
        ("release", c_void_p),
        ("finished", c_void_p),
        ("environment", c_void_p),
    ]


class Caller:
    """One instance, and the states saved from it."""

    def __init__(self, library: str, version: str, token: str, variables: int, seed: int, resources: str) -> None:
        self.functions = ctypes.CDLL(library)
        self.three, self.variables = version == "3.0", variables
        self.chance = random.Random(seed)
        self.states: list[c_void_p] = []
        self.time, self.steps = 0.0, 0
        self.gentle = bool(resources)
        place = c_char_p(resources.encode()) if resources else None
        self.logger = LOGGER_3(lambda *_: None) if self.three else LOGGER_2(lambda *_: None)
        self.callbacks = None if self.three else Callbacks(self.logger, None, None, None, None)
        instantiate = self.named("InstantiateCoSimulation" if self.three else "Instantiate")
        instantiate.restype = c_void_p
        name, guid = c_char_p(b"one"), c_char_p(token.encode())
        if self.three:
            off = c_bool(False)
            instance = instantiate(
                name, guid, place, off, off, off, c_bool(True), None, c_size_t(0), None, self.logger, None
            )
        else:
            instance = instantiate(name, c_int(1), guid, place, byref(self.callbacks), c_int(0), c_int(0))
        self.instance = c_void_p(instance)
        if self.gentle:
            self.setup()
            self.leave()
            self.take_state()
            self.first, _ = self.states.pop()

    def named(self, name: str):
        return getattr(self.functions, f"fmi{3 if self.three else 2}{name}")

    def setup(self):
        if self.three:
            return self.named("EnterInitializationMode")(
                self.instance, c_bool(False), c_double(0.0), c_double(0.0), c_bool(False), c_double(0.0)
            )
        answer = self.named("SetupExperiment")(
            self.instance, c_int(0), c_double(0.0), c_double(0.0), c_int(0), c_double(0.0)
        )
        return answer or self.named("EnterInitializationMode")(self.instance)

    def leave(self):
        answer = self.named("ExitInitializationMode")(self.instance)
        if answer == 0:
            self.time = 0.0
        return answer

    def step(self):
        size = self.chance.choice([1e-4, 1e-3, 3e-5, 0.0, -1.0, float("nan")])
        time = self.chance.choice([self.time] * 5 + [3.0])
        last = c_double(self.time)
        if self.three:
            flags = [byref(c_bool()) for _ in range(3)]
            answer = self.named("DoStep")(
                self.instance, c_double(time), c_double(size), c_bool(True), *flags, byref(last)
            )
        else:
            answer = self.named("DoStep")(self.instance, c_double(time), c_double(size), c_int(1))
        if answer == 0:
            self.time, self.steps = time + size, self.steps + 1
        return answer

    def _values(self):
        count = self.chance.randrange(4)
        references = (c_uint32 * (count + 1))(*[self.chance.randrange(self.variables + 3) for _ in range(count + 1)])
        numbers = (0.0, 1.0, -3.0, 1e300, 1.0, 2e6, float("nan"))
        values = (c_double * (count + 1))(*[self.chance.choice(numbers) for _ in range(count + 1)])
        return references, c_size_t(count), values, *((c_size_t(count),) if self.three else ())

    def get(self):
        return self.named("GetFloat64" if self.three else "GetReal")(self.instance, *self._values())

    def set(self):
        return self.named("SetFloat64" if self.three else "SetReal")(self.instance, *self._values())

    def take_state(self):
        state = c_void_p()
        if self.named("GetFMUState" if self.three else "GetFMUstate")(self.instance, byref(state)) == 0:
            self.states.append((state, self.time))

    def put_back(self):
        if self.gentle and not self.states:
            return
        state, time = self.chance.choice(self.states) if self.states else (c_void_p(), self.time)
        if self.named("SetFMUState" if self.three else "SetFMUstate")(self.instance, state) == 0:
            self.time = time

    def serialize(self):
        if not self.states:
            return
        state, _ = self.chance.choice(self.states)
        size = c_size_t()
        self.named("SerializedFMUStateSize" if self.three else "SerializedFMUstateSize")(
            self.instance, state, byref(size)
        )
        room = ctypes.create_string_buffer(size.value)
        self.named("SerializeFMUState" if self.three else "SerializeFMUstate")(self.instance, state, room, size)
        given = c_size_t(self.chance.choice([size.value, size.value, 5]))
        made = c_void_p()
        name = "DeserializeFMUState" if self.three else "DeSerializeFMUstate"
        if self.named(name)(self.instance, room, given, byref(made)) == 0:
            self.named("FreeFMUState" if self.three else "FreeFMUstate")(self.instance, byref(made))

    def free_state(self):
        if self.states:
            state, _ = self.states.pop(self.chance.randrange(len(self.states)))
            self.named("FreeFMUState" if self.three else "FreeFMUstate")(self.instance, byref(state))

    def reset(self):
        return self.named("Reset")(self.instance)

    def terminate(self):
        return self.named("Terminate")(self.instance)

    def nobody(self):
        return self.named("Terminate")(c_void_p())

    def calls(self, count: int) -> int:
        often = [self.step] * 12 + [self.get, self.set] * 4 + [self.setup, self.leave] * 3 + [self.take_state] * 2
        seldom = [self.put_back, self.serialize, self.free_state, self.reset, self.terminate]
        calls = often + seldom + ([] if self.gentle else [self.nobody])
        for _ in range(count):
            if self.chance.choice(calls)() and self.gentle:
                self.named("SetFMUState" if self.three else "SetFMUstate")(self.instance, self.first)
                self.time = 0.0
        self.named("FreeInstance")(self.instance)
        return self.steps


if __name__ == "__main__":
    library, version, token, variables, calls, *more = sys.argv[1:]
    seed, resources = [*more, *("1", "")[len(more) :]]
    caller = Caller(library, version, token, int(variables), int(seed), resources)
    print(caller.calls(int(calls)))  # noqa: T201
