/* The functions of FMI 3.0 for co-simulation (Functional Mock-up Interface, version 3.0.2, chapters 2 and 4). */

#include <stdbool.h>

#include "run.h"

typedef void Logger(void *environment, int status, const char *category, const char *message);
typedef void IntermediateUpdate(void *environment, double time, bool set_requested, bool get_allowed, bool finished,
                                bool can_return, bool *return_requested, double *return_time);

static void log_message(Run *run, int status, const char *category, const char *message) {
    Logger *logger = (Logger *)run->logger;
    if (logger != NULL) logger(run->environment, status, category, message);
}

static int unsupported(Run *run, const char *what) {
    return run == NULL ? STATUS_ERROR : report(run, STATUS_ERROR, "This model has no %s.", what);
}

EXPORT const char *fmi3GetVersion(void) { return "3.0"; }

EXPORT int fmi3SetDebugLogging(Run *run, bool on, size_t count, const char *const categories[]) {
    (void)on, (void)count, (void)categories; /* what is logged are errors and endings, always */
    return run == NULL ? STATUS_ERROR : STATUS_OK;
}

EXPORT Run *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible, bool logging,
                                        bool events, bool early_return, const uint32_t required[], size_t count,
                                        void *environment, Logger *logger, IntermediateUpdate *update) {
    (void)resources, (void)visible, (void)logging, (void)events, (void)required, (void)count, (void)update;
    const char *wrong = name == NULL || name[0] == 0                  ? "the instance has no name"
                        : token == NULL || strcmp(token, MODEL_TOKEN) ? "the instantiation token is not the one of this model"
                                                                      : NULL;
    Run *run = wrong == NULL ? new_run(name) : NULL;
    if (run == NULL) {
        if (logger != NULL)
            logger(environment, STATUS_ERROR, "logStatusError", wrong ? wrong : "there is no memory for an instance");
        return NULL;
    }
    run->environment = environment;
    run->logger = (void (*)(void))logger;
    run->log = log_message;
    run->may_return_early = early_return;
    return run;
}

EXPORT Run *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible, bool logging,
                                         void *environment, Logger *logger) {
    (void)name, (void)token, (void)resources, (void)visible, (void)logging;
    if (logger != NULL) logger(environment, STATUS_ERROR, "logStatusError", "the model is for co-simulation only");
    return NULL;
}

EXPORT Run *fmi3InstantiateScheduledExecution(const char *name, const char *token, const char *resources, bool visible,
                                              bool logging, void *environment, Logger *logger, void (*update)(void *),
                                              void (*lock)(void), void (*unlock)(void)) {
    (void)update, (void)lock, (void)unlock;
    return fmi3InstantiateModelExchange(name, token, resources, visible, logging, environment, logger);
}

EXPORT void fmi3FreeInstance(Run *run) { free_run(run); }

EXPORT int fmi3EnterInitializationMode(Run *run, bool tolerance_defined, double tolerance, double start, bool stop_defined,
                                       double stop) {
    (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop;
    if (!may(run, INSTANTIATED, "fmi3EnterInitializationMode")) return STATUS_ERROR;
    if (!isfinite(start)) return report(run, STATUS_ERROR, "The start time must be finite.");
    run->now.start = start;
    run->now.phase = INITIALISING;
    return STATUS_OK;
}

EXPORT int fmi3ExitInitializationMode(Run *run) {
    if (!may(run, INITIALISING, "fmi3ExitInitializationMode")) return STATUS_ERROR;
    int status = begin(run);
    if (status == STATUS_OK) run->now.phase = STEPPING;
    return status == STATUS_DISCARD ? STATUS_ERROR : status;
}

EXPORT int fmi3Terminate(Run *run) {
    if (!may(run, STEPPING | ENDED, "fmi3Terminate")) return STATUS_ERROR;
    run->now.phase = TERMINATED;
    return STATUS_OK;
}

EXPORT int fmi3Reset(Run *run) {
    if (run == NULL) return STATUS_ERROR;
    reset(run);
    return STATUS_OK;
}

EXPORT int fmi3GetFloat64(Run *run, const uint32_t references[], size_t count, double values[], size_t sizes) {
    if (!may(run, ~BROKEN, "fmi3GetFloat64")) return STATUS_ERROR;
    if (sizes != count) return report(run, STATUS_ERROR, "Every variable has one value.");
    return get(run, references, count, values);
}

EXPORT int fmi3SetFloat64(Run *run, const uint32_t references[], size_t count, const double values[], size_t sizes) {
    if (!may(run, INSTANTIATED | INITIALISING | STEPPING, "fmi3SetFloat64")) return STATUS_ERROR;
    if (sizes != count) return report(run, STATUS_ERROR, "Every variable has one value.");
    return set(run, references, count, values);
}

#define NO_VARIABLES(name, type)                                                                                         \
    EXPORT int fmi3Get##name(Run *run, const uint32_t references[], size_t count, type values[], size_t sizes) {         \
        (void)references, (void)values, (void)sizes;                                                                     \
        return run != NULL && count == 0 ? STATUS_OK : unsupported(run, "variables of the type " #name);                 \
    }                                                                                                                    \
    EXPORT int fmi3Set##name(Run *run, const uint32_t references[], size_t count, const type values[], size_t sizes) {   \
        (void)references, (void)values, (void)sizes;                                                                     \
        return run != NULL && count == 0 ? STATUS_OK : unsupported(run, "variables of the type " #name);                 \
    }
typedef const char *String;
typedef const uint8_t *Binary;
NO_VARIABLES(Float32, float)
NO_VARIABLES(Int8, int8_t)
NO_VARIABLES(UInt8, uint8_t)
NO_VARIABLES(Int16, int16_t)
NO_VARIABLES(UInt16, uint16_t)
NO_VARIABLES(Int32, int32_t)
NO_VARIABLES(UInt32, uint32_t)
NO_VARIABLES(Int64, int64_t)
NO_VARIABLES(UInt64, uint64_t)
NO_VARIABLES(Boolean, bool)
NO_VARIABLES(String, String)

EXPORT int fmi3GetBinary(Run *run, const uint32_t references[], size_t count, size_t lengths[], Binary values[], size_t sizes) {
    (void)references, (void)lengths, (void)values, (void)sizes;
    return run != NULL && count == 0 ? STATUS_OK : unsupported(run, "variables of the type Binary");
}

EXPORT int fmi3SetBinary(Run *run, const uint32_t references[], size_t count, const size_t lengths[], const Binary values[],
                         size_t sizes) {
    (void)references, (void)lengths, (void)values, (void)sizes;
    return run != NULL && count == 0 ? STATUS_OK : unsupported(run, "variables of the type Binary");
}

EXPORT int fmi3GetClock(Run *run, const uint32_t references[], size_t count, bool values[]) {
    (void)references, (void)values;
    return run != NULL && count == 0 ? STATUS_OK : unsupported(run, "clocks");
}

EXPORT int fmi3SetClock(Run *run, const uint32_t references[], size_t count, const bool values[]) {
    (void)references, (void)values;
    return run != NULL && count == 0 ? STATUS_OK : unsupported(run, "clocks");
}

EXPORT int fmi3GetFMUState(Run *run, void **state) {
    if (!may(run, ~BROKEN, "fmi3GetFMUState") || state == NULL) return STATUS_ERROR;
    return keep(run, state);
}

EXPORT int fmi3SetFMUState(Run *run, void *state) { return run == NULL ? STATUS_ERROR : put_back(run, state); }

EXPORT int fmi3FreeFMUState(Run *run, void **state) {
    if (run == NULL) return STATUS_ERROR;
    if (state == NULL) return STATUS_OK;
    free(*state);
    *state = NULL;
    return STATUS_OK;
}

EXPORT int fmi3SerializedFMUStateSize(Run *run, void *state, size_t *size) {
    if (run == NULL || state == NULL || size == NULL) return STATUS_ERROR;
    *size = BYTES_SIZE;
    return STATUS_OK;
}

EXPORT int fmi3SerializeFMUState(Run *run, void *state, uint8_t bytes[], size_t size) {
    if (run == NULL || state == NULL || bytes == NULL) return STATUS_ERROR;
    return give_bytes(run, state, bytes, size);
}

EXPORT int fmi3DeserializeFMUState(Run *run, const uint8_t bytes[], size_t size, void **state) {
    if (run == NULL || state == NULL) return STATUS_ERROR;
    return take_bytes(run, bytes, size, state);
}

EXPORT int fmi3DoStep(Run *run, double time, double duration, bool no_set_before, bool *event, bool *terminate, bool *early,
                      double *reached) {
    (void)no_set_before;
    if (!may(run, STEPPING, "fmi3DoStep")) return STATUS_ERROR;
    if (event == NULL || terminate == NULL || early == NULL || reached == NULL)
        return report(run, STATUS_ERROR, "fmi3DoStep needs a place for each of its answers.");
    *event = *terminate = *early = false;
    *reached = run->now.start + run->now.time;
    if (!fits(run, time, duration)) return STATUS_ERROR;
    int status = step(run, time + duration - run->now.start);
    *reached = run->now.start + run->now.time;
    if (status != STATUS_DISCARD) return status;
    *terminate = true;
    *early = run->may_return_early != 0;
    return *early ? STATUS_OK : STATUS_DISCARD;
}

#define NOT_HERE(name, what, ...)                                                                                        \
    EXPORT int name(Run *run, __VA_ARGS__) { return unsupported(run, what); }
#pragma GCC diagnostic ignored "-Wunused-parameter"
NOT_HERE(fmi3GetNumberOfVariableDependencies, "list of dependencies", uint32_t variable, size_t *count)
NOT_HERE(fmi3GetVariableDependencies, "list of dependencies", uint32_t variable, size_t elements[], uint32_t independents[],
         size_t of_independents[], int kinds[], size_t count)
NOT_HERE(fmi3GetDirectionalDerivative, "directional derivatives", const uint32_t unknowns[], size_t unknown,
         const uint32_t knowns[], size_t known, const double seed[], size_t seeds, double sensitivity[], size_t sensitivities)
NOT_HERE(fmi3GetAdjointDerivative, "adjoint derivatives", const uint32_t unknowns[], size_t unknown, const uint32_t knowns[],
         size_t known, const double seed[], size_t seeds, double sensitivity[], size_t sensitivities)
NOT_HERE(fmi3GetOutputDerivatives, "derivatives of outputs", const uint32_t references[], size_t count, const int32_t orders[],
         double values[], size_t sizes)
NOT_HERE(fmi3GetIntervalDecimal, "clocks", const uint32_t references[], size_t count, double intervals[], int qualifiers[])
NOT_HERE(fmi3GetIntervalFraction, "clocks", const uint32_t references[], size_t count, uint64_t counters[],
         uint64_t resolutions[], int qualifiers[])
NOT_HERE(fmi3GetShiftDecimal, "clocks", const uint32_t references[], size_t count, double shifts[])
NOT_HERE(fmi3GetShiftFraction, "clocks", const uint32_t references[], size_t count, uint64_t counters[], uint64_t resolutions[])
NOT_HERE(fmi3SetIntervalDecimal, "clocks", const uint32_t references[], size_t count, const double intervals[])
NOT_HERE(fmi3SetIntervalFraction, "clocks", const uint32_t references[], size_t count, const uint64_t counters[],
         const uint64_t resolutions[])
NOT_HERE(fmi3SetShiftDecimal, "clocks", const uint32_t references[], size_t count, const double shifts[])
NOT_HERE(fmi3SetShiftFraction, "clocks", const uint32_t references[], size_t count, const uint64_t counters[],
         const uint64_t resolutions[])
NOT_HERE(fmi3UpdateDiscreteStates, "events", bool *needed, bool *terminate, bool *nominals, bool *values, bool *next_defined,
         double *next)
NOT_HERE(fmi3ActivateModelPartition, "clocks", uint32_t clock, double time)
NOT_HERE(fmi3SetTime, "continuous states", double time)
NOT_HERE(fmi3SetContinuousStates, "continuous states", const double states[], size_t count)
NOT_HERE(fmi3GetContinuousStateDerivatives, "continuous states", double derivatives[], size_t count)
NOT_HERE(fmi3GetContinuousStates, "continuous states", double states[], size_t count)
NOT_HERE(fmi3GetEventIndicators, "event indicators", double indicators[], size_t count)
NOT_HERE(fmi3GetNominalsOfContinuousStates, "continuous states", double nominals[], size_t count)
NOT_HERE(fmi3GetNumberOfEventIndicators, "event indicators", size_t *count)
NOT_HERE(fmi3GetNumberOfContinuousStates, "continuous states", size_t *count)
NOT_HERE(fmi3CompletedIntegratorStep, "continuous states", bool no_set_before, bool *enter_event_mode, bool *terminate)
EXPORT int fmi3EnterEventMode(Run *run) { return unsupported(run, "events"); }
EXPORT int fmi3EnterContinuousTimeMode(Run *run) { return unsupported(run, "continuous states"); }
EXPORT int fmi3EnterConfigurationMode(Run *run) { return unsupported(run, "structural parameters"); }
EXPORT int fmi3ExitConfigurationMode(Run *run) { return unsupported(run, "structural parameters"); }
EXPORT int fmi3EnterStepMode(Run *run) { return unsupported(run, "events"); }
EXPORT int fmi3EvaluateDiscreteStates(Run *run) { return unsupported(run, "discrete states"); }
