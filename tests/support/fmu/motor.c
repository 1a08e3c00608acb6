/* A direct-current motor as an FMU, for tests: T di/dt = 1 - w / w0 - l i, M = stall_torque i + P (w0 - w).

   With leak l = 1 and gain P = 0 a motor; with l = 0 a PI control of the speed w0, of integral gain stall_torque / (T w0).

   FMI 2.0, or 3.0 with -DFMI3, co-simulation; only what the standard asks of an FMU without arrays, events and clocks.
   Steps of Runge-Kutta of order 4 with the speed as it was set, or with its derivative (FMI 2.0).
   It fails in the middle where fails_at says so, with a message. */

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { SPEED, TORQUE, STALL_TORQUE, NO_LOAD_SPEED, TIME_CONSTANT, FAILS_AT, CURRENT, GAIN, LEAK, VARIABLES };
enum { OK, WARNING, DISCARD, ERROR, FATAL };

typedef struct {
    double value[VARIABLES];
    double rate; /* of the speed */
} State;

typedef struct {
    State now;
    void *environment;
    void (*log)(void *, int, const char *);
    void *callbacks;
} Motor;

static double slope(const Motor *m, double current, double speed) {
    const double *v = m->now.value;
    return (1.0 - speed / v[NO_LOAD_SPEED] - v[LEAK] * current) / v[TIME_CONSTANT];
}

static int advance(Motor *m, double time, double step) {
    double *v = m->now.value;
    if (time + 0.5 * step > v[FAILS_AT]) {
        m->log(m, ERROR, "the winding burnt out");
        return ERROR;
    }
    const int n = 4;
    const double h = step / n;
    for (int k = 0; k < n; k++) {
        const double w = v[SPEED] + m->now.rate * k * h, half = 0.5 * h * m->now.rate, i = v[CURRENT];
        const double a = slope(m, i, w), b = slope(m, i + 0.5 * h * a, w + half);
        const double c = slope(m, i + 0.5 * h * b, w + half), d = slope(m, i + h * c, w + 2.0 * half);
        v[CURRENT] += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    }
    v[SPEED] += m->now.rate * step;
    return OK;
}

static int get(Motor *m, const unsigned vr[], size_t n, double value[]) {
    double *v = m->now.value;
    v[TORQUE] = v[CURRENT] * v[STALL_TORQUE] + v[GAIN] * (v[NO_LOAD_SPEED] - v[SPEED]);
    for (size_t k = 0; k < n; k++) {
        if (vr[k] >= VARIABLES) return ERROR;
        value[k] = v[vr[k]];
    }
    return OK;
}

static int set(Motor *m, const unsigned vr[], size_t n, const double value[]) {
    for (size_t k = 0; k < n; k++) {
        if (vr[k] >= VARIABLES) return ERROR;
        m->now.value[vr[k]] = value[k];
        if (vr[k] == SPEED) m->now.rate = 0.0;
    }
    return OK;
}

static Motor *made(void) {
    Motor *m = calloc(1, sizeof(Motor));
    m->now.value[STALL_TORQUE] = 40.0;
    m->now.value[NO_LOAD_SPEED] = 150.0;
    m->now.value[TIME_CONSTANT] = 0.02;
    m->now.value[FAILS_AT] = 1e300;
    m->now.value[LEAK] = 1.0;
    return m;
}

static int copied(Motor *m, void **state) {
    if (*state == NULL) *state = malloc(sizeof(State));
    memcpy(*state, &m->now, sizeof(State));
    return OK;
}

#define CALL(returns, name) EXPORT returns name

#ifndef FMI3

typedef struct {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, int);
    void *environment;
} Callbacks;

static void say(void *motor, int status, const char *text) {
    const Callbacks *c = ((Motor *)motor)->callbacks;
    if (c && c->logger) c->logger(c->environment, "motor", status, "error", text);
}

CALL(const char *, fmi2GetTypesPlatform)(void) { return "default"; }
CALL(const char *, fmi2GetVersion)(void) { return "2.0"; }
CALL(int, fmi2SetDebugLogging)(void *m, int on, size_t n, const char *const c[]) { return OK; }
CALL(void *, fmi2Instantiate)(const char *n, int t, const char *g, const char *r, Callbacks *c, int v, int l) {
    Motor *m = made();
    m->callbacks = c;
    m->log = say;
    return m;
}
CALL(void, fmi2FreeInstance)(void *m) { free(m); }
CALL(int, fmi2SetupExperiment)(void *m, int t, double tolerance, double start, int s, double stop) { return OK; }
CALL(int, fmi2EnterInitializationMode)(void *m) { return OK; }
CALL(int, fmi2ExitInitializationMode)(void *m) { return OK; }
CALL(int, fmi2Terminate)(void *m) { return OK; }
CALL(int, fmi2Reset)(void *m) { return ERROR; }
CALL(int, fmi2GetReal)(void *m, const unsigned vr[], size_t n, double x[]) { return get(m, vr, n, x); }
CALL(int, fmi2SetReal)(void *m, const unsigned vr[], size_t n, const double x[]) { return set(m, vr, n, x); }
CALL(int, fmi2GetInteger)(void *m, const unsigned vr[], size_t n, int x[]) { return ERROR; }
CALL(int, fmi2SetInteger)(void *m, const unsigned vr[], size_t n, const int x[]) { return ERROR; }
CALL(int, fmi2GetBoolean)(void *m, const unsigned vr[], size_t n, int x[]) { return ERROR; }
CALL(int, fmi2SetBoolean)(void *m, const unsigned vr[], size_t n, const int x[]) { return ERROR; }
CALL(int, fmi2GetString)(void *m, const unsigned vr[], size_t n, const char *x[]) { return ERROR; }
CALL(int, fmi2SetString)(void *m, const unsigned vr[], size_t n, const char *const x[]) { return ERROR; }
CALL(int, fmi2GetFMUstate)(void *m, void **state) { return copied(m, state); }
CALL(int, fmi2SetFMUstate)(void *m, void *state) { memcpy(&((Motor *)m)->now, state, sizeof(State)); return OK; }
CALL(int, fmi2FreeFMUstate)(void *m, void **state) { free(*state); *state = NULL; return OK; }
CALL(int, fmi2SerializedFMUstateSize)(void *m, void *s, size_t *n) { *n = sizeof(State); return OK; }
CALL(int, fmi2SerializeFMUstate)(void *m, void *s, char b[], size_t n) { memcpy(b, s, n); return OK; }
CALL(int, fmi2DeSerializeFMUstate)(void *m, const char b[], size_t n, void **state) {
    if (n != sizeof(State)) return ERROR;
    if (*state == NULL) *state = malloc(n);
    memcpy(*state, b, n);
    return OK;
}
CALL(int, fmi2GetDirectionalDerivative)(void *m, const unsigned u[], size_t n, const unsigned k[], size_t l,
                                        const double d[], double x[]) { return ERROR; }
CALL(int, fmi2SetRealInputDerivatives)(void *m, const unsigned vr[], size_t n, const int order[], const double x[]) {
    for (size_t k = 0; k < n; k++) if (vr[k] == SPEED && order[k] == 1) ((Motor *)m)->now.rate = x[k];
    return OK;
}
CALL(int, fmi2GetRealOutputDerivatives)(void *m, const unsigned vr[], size_t n, const int o[], double x[]) { return ERROR; }
CALL(int, fmi2DoStep)(void *m, double time, double step, int fixed) { return advance(m, time, step); }
CALL(int, fmi2CancelStep)(void *m) { return ERROR; }
CALL(int, fmi2GetStatus)(void *m, int k, int *x) { return DISCARD; }
CALL(int, fmi2GetRealStatus)(void *m, int k, double *x) { return DISCARD; }
CALL(int, fmi2GetIntegerStatus)(void *m, int k, int *x) { return DISCARD; }
CALL(int, fmi2GetBooleanStatus)(void *m, int k, int *x) { return DISCARD; }
CALL(int, fmi2GetStringStatus)(void *m, int k, const char **x) { return DISCARD; }

#else

#include <stdbool.h>

typedef void (*Logger)(void *, int, const char *, const char *);

static void say(void *motor, int status, const char *text) {
    Motor *m = motor;
    if (m->callbacks) ((Logger)m->callbacks)(m->environment, status, "error", text);
}

CALL(const char *, fmi3GetVersion)(void) { return "3.0"; }
CALL(void *, fmi3InstantiateCoSimulation)(const char *n, const char *t, const char *r, bool v, bool l, bool e, bool a,
                                          const unsigned q[], size_t k, void *environment, Logger log, void *update) {
    Motor *m = made();
    m->environment = environment;
    m->callbacks = (void *)log;
    m->log = say;
    return m;
}
CALL(void, fmi3FreeInstance)(void *m) { free(m); }
CALL(int, fmi3EnterInitializationMode)(void *m, bool d, double t, double start, bool s, double stop) { return OK; }
CALL(int, fmi3ExitInitializationMode)(void *m) { return OK; }
CALL(int, fmi3Terminate)(void *m) { return OK; }
CALL(int, fmi3GetFloat64)(void *m, const unsigned vr[], size_t n, double x[], size_t k) { return get(m, vr, n, x); }
CALL(int, fmi3SetFloat64)(void *m, const unsigned vr[], size_t n, const double x[], size_t k) { return set(m, vr, n, x); }
CALL(int, fmi3GetFMUState)(void *m, void **state) { return copied(m, state); }
CALL(int, fmi3SetFMUState)(void *m, void *state) { memcpy(&((Motor *)m)->now, state, sizeof(State)); return OK; }
CALL(int, fmi3FreeFMUState)(void *m, void **state) { free(*state); *state = NULL; return OK; }
CALL(int, fmi3SerializedFMUStateSize)(void *m, void *s, size_t *n) { *n = sizeof(State); return OK; }
CALL(int, fmi3SerializeFMUState)(void *m, void *s, unsigned char b[], size_t n) { memcpy(b, s, n); return OK; }
CALL(int, fmi3DeserializeFMUState)(void *m, const unsigned char b[], size_t n, void **state) {
    if (n != sizeof(State)) return ERROR;
    if (*state == NULL) *state = malloc(n);
    memcpy(*state, b, n);
    return OK;
}
CALL(int, fmi3DoStep)(void *m, double time, double step, bool fixed, bool *event, bool *end, bool *early, double *last) {
    *event = *end = *early = false;
    *last = time + step;
    return advance(m, time, step);
}

/* What the standard has and nobody calls. */
#define REFUSED(name) CALL(int, fmi3##name)(void) { return ERROR; }
REFUSED(ActivateModelPartition) REFUSED(CompletedIntegratorStep) REFUSED(EnterConfigurationMode)
REFUSED(EnterContinuousTimeMode) REFUSED(EnterEventMode) REFUSED(EnterStepMode)
REFUSED(EvaluateDiscreteStates) REFUSED(ExitConfigurationMode) REFUSED(GetAdjointDerivative)
REFUSED(GetBinary) REFUSED(GetBoolean) REFUSED(GetClock) REFUSED(GetContinuousStateDerivatives)
REFUSED(GetContinuousStates) REFUSED(GetDirectionalDerivative) REFUSED(GetEventIndicators)
REFUSED(GetFloat32) REFUSED(GetInt16) REFUSED(GetInt32) REFUSED(GetInt64) REFUSED(GetInt8)
REFUSED(GetIntervalDecimal) REFUSED(GetIntervalFraction) REFUSED(GetNominalsOfContinuousStates)
REFUSED(GetNumberOfContinuousStates) REFUSED(GetNumberOfEventIndicators)
REFUSED(GetNumberOfVariableDependencies) REFUSED(GetOutputDerivatives) REFUSED(GetShiftDecimal)
REFUSED(GetShiftFraction) REFUSED(GetString) REFUSED(GetUInt16) REFUSED(GetUInt32) REFUSED(GetUInt64)
REFUSED(GetUInt8) REFUSED(GetVariableDependencies) REFUSED(Reset) REFUSED(SetBinary) REFUSED(SetBoolean)
REFUSED(SetClock) REFUSED(SetContinuousStates) REFUSED(SetDebugLogging) REFUSED(SetFloat32) REFUSED(SetInt16)
REFUSED(SetInt32) REFUSED(SetInt64) REFUSED(SetInt8) REFUSED(SetIntervalDecimal) REFUSED(SetIntervalFraction)
REFUSED(SetShiftDecimal) REFUSED(SetShiftFraction) REFUSED(SetString) REFUSED(SetTime) REFUSED(SetUInt16)
REFUSED(SetUInt32) REFUSED(SetUInt64) REFUSED(SetUInt8) REFUSED(UpdateDiscreteStates)
CALL(void *, fmi3InstantiateModelExchange)(void) { return NULL; }
CALL(void *, fmi3InstantiateScheduledExecution)(void) { return NULL; }

#endif
