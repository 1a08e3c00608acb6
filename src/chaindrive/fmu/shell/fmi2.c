/* The functions of FMI 2.0 for co-simulation (Functional Mock-up Interface, version 2.0.5, chapters 2 and 4). */

#include "run.h"

typedef int Boolean;
typedef void Logger(void *environment, const char *instance, int status, const char *category, const char *message, ...);
typedef struct {
    Logger *logger;
    void *(*allocate)(size_t count, size_t size);
    void (*release)(void *memory);
    void (*finished)(void *environment, int status);
    void *environment;
} Callbacks;

enum { CO_SIMULATION = 1 };
enum { DO_STEP_STATUS, PENDING_STATUS, LAST_SUCCESSFUL_TIME, TERMINATED_BY_MODEL };

/* The message is the format: importers written in other languages than C show that alone. */
static void log_message(Run *run, int status, const char *category, const char *message) {
    Logger *logger = (Logger *)run->logger;
    char format[2048], *next = format;
    for (; *message != 0 && next < format + sizeof format - 2; message++) {
        if (*message == '%') *next++ = '%';
        *next++ = *message;
    }
    *next = 0;
    if (logger != NULL) logger(run->environment, run->name, status, category, format);
}

static int unsupported(Run *run, const char *what) {
    return run == NULL ? STATUS_ERROR : report(run, STATUS_ERROR, "This model has no %s.", what);
}

EXPORT const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORT const char *fmi2GetVersion(void) { return "2.0"; }

EXPORT int fmi2SetDebugLogging(Run *run, Boolean on, size_t count, const char *const categories[]) {
    (void)on, (void)count, (void)categories; /* what is logged are errors and endings, always */
    return run == NULL ? STATUS_ERROR : STATUS_OK;
}

EXPORT Run *fmi2Instantiate(const char *name, int type, const char *token, const char *resources, const Callbacks *functions,
                            Boolean visible, Boolean logging) {
    (void)resources, (void)visible, (void)logging;
    const char *wrong = functions == NULL || functions->logger == NULL ? "there is no logger"
                        : name == NULL || name[0] == 0                 ? "the instance has no name"
                        : type != CO_SIMULATION                        ? "the model is for co-simulation only"
                        : token == NULL || strcmp(token, MODEL_TOKEN)  ? "the GUID is not the one of this model"
                                                                       : NULL;
    Run *run = wrong == NULL ? new_run(name) : NULL;
    if (run == NULL) {
        if (functions != NULL && functions->logger != NULL)
            functions->logger(functions->environment, name ? name : "", STATUS_ERROR, "logStatusError",
                              wrong ? wrong : "there is no memory for an instance");
        return NULL;
    }
    run->environment = functions->environment;
    run->logger = (void (*)(void))functions->logger;
    run->log = log_message;
    return run;
}

EXPORT void fmi2FreeInstance(Run *run) { free_run(run); }

EXPORT int fmi2SetupExperiment(Run *run, Boolean tolerance_defined, double tolerance, double start, Boolean stop_defined,
                               double stop) {
    (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop;
    if (!may(run, INSTANTIATED, "fmi2SetupExperiment")) return STATUS_ERROR;
    if (!isfinite(start)) return report(run, STATUS_ERROR, "The start time must be finite.");
    run->now.start = start;
    return STATUS_OK;
}

EXPORT int fmi2EnterInitializationMode(Run *run) {
    if (!may(run, INSTANTIATED, "fmi2EnterInitializationMode")) return STATUS_ERROR;
    run->now.phase = INITIALISING;
    return STATUS_OK;
}

EXPORT int fmi2ExitInitializationMode(Run *run) {
    if (!may(run, INITIALISING, "fmi2ExitInitializationMode")) return STATUS_ERROR;
    int status = begin(run);
    if (status == STATUS_OK) run->now.phase = STEPPING;
    return status == STATUS_DISCARD ? STATUS_ERROR : status;
}

EXPORT int fmi2Terminate(Run *run) {
    if (!may(run, STEPPING | ENDED, "fmi2Terminate")) return STATUS_ERROR;
    run->now.phase = TERMINATED;
    return STATUS_OK;
}

EXPORT int fmi2Reset(Run *run) {
    if (run == NULL) return STATUS_ERROR;
    reset(run);
    return STATUS_OK;
}

EXPORT int fmi2GetReal(Run *run, const uint32_t references[], size_t count, double values[]) {
    if (!may(run, ~BROKEN, "fmi2GetReal")) return STATUS_ERROR;
    return get(run, references, count, values);
}

EXPORT int fmi2SetReal(Run *run, const uint32_t references[], size_t count, const double values[]) {
    if (!may(run, INSTANTIATED | INITIALISING | STEPPING, "fmi2SetReal")) return STATUS_ERROR;
    return set(run, references, count, values);
}

#define NO_VARIABLES(function, type, what)                                                       \
    EXPORT int function(Run *run, const uint32_t references[], size_t count, type values[]) {    \
        (void)references, (void)values;                                                          \
        return run != NULL && count == 0 ? STATUS_OK : unsupported(run, what);                   \
    }
NO_VARIABLES(fmi2GetInteger, int, "integer variables")
NO_VARIABLES(fmi2SetInteger, const int, "integer variables")
NO_VARIABLES(fmi2GetBoolean, Boolean, "boolean variables")
NO_VARIABLES(fmi2SetBoolean, const Boolean, "boolean variables")
NO_VARIABLES(fmi2GetString, const char *, "strings")
NO_VARIABLES(fmi2SetString, const char *const, "strings")

EXPORT int fmi2GetFMUstate(Run *run, void **state) {
    if (!may(run, ~BROKEN, "fmi2GetFMUstate") || state == NULL) return STATUS_ERROR;
    return keep(run, state);
}

EXPORT int fmi2SetFMUstate(Run *run, void *state) { return run == NULL ? STATUS_ERROR : put_back(run, state); }

EXPORT int fmi2FreeFMUstate(Run *run, void **state) {
    if (run == NULL) return STATUS_ERROR;
    if (state == NULL) return STATUS_OK;
    free(*state);
    *state = NULL;
    return STATUS_OK;
}

EXPORT int fmi2SerializedFMUstateSize(Run *run, void *state, size_t *size) {
    if (run == NULL || state == NULL || size == NULL) return STATUS_ERROR;
    *size = BYTES_SIZE;
    return STATUS_OK;
}

EXPORT int fmi2SerializeFMUstate(Run *run, void *state, char bytes[], size_t size) {
    if (run == NULL || state == NULL || bytes == NULL) return STATUS_ERROR;
    return give_bytes(run, state, bytes, size);
}

EXPORT int fmi2DeSerializeFMUstate(Run *run, const char bytes[], size_t size, void **state) {
    if (run == NULL || state == NULL) return STATUS_ERROR;
    return take_bytes(run, bytes, size, state);
}

EXPORT int fmi2GetDirectionalDerivative(Run *run, const uint32_t unknown[], size_t unknowns, const uint32_t known[], size_t knowns,
                                        const double of_known[], double of_unknown[]) {
    (void)unknown, (void)unknowns, (void)known, (void)knowns, (void)of_known, (void)of_unknown;
    return unsupported(run, "directional derivatives");
}

EXPORT int fmi2SetRealInputDerivatives(Run *run, const uint32_t references[], size_t count, const int order[], const double values[]) {
    (void)references, (void)order, (void)values;
    return run != NULL && count == 0 ? STATUS_OK : unsupported(run, "derivatives of inputs");
}

EXPORT int fmi2GetRealOutputDerivatives(Run *run, const uint32_t references[], size_t count, const int order[], double values[]) {
    (void)references, (void)order, (void)values;
    return run != NULL && count == 0 ? STATUS_OK : unsupported(run, "derivatives of outputs");
}

EXPORT int fmi2DoStep(Run *run, double time, double duration, Boolean no_set_before) {
    (void)no_set_before;
    if (!may(run, STEPPING, "fmi2DoStep") || !fits(run, time, duration)) return STATUS_ERROR;
    return step(run, time + duration - run->now.start);
}

EXPORT int fmi2CancelStep(Run *run) { return unsupported(run, "asynchronous steps"); }

EXPORT int fmi2GetStatus(Run *run, int kind, int *value) {
    (void)kind, (void)value;
    return run == NULL ? STATUS_ERROR : STATUS_DISCARD;
}

EXPORT int fmi2GetRealStatus(Run *run, int kind, double *value) {
    if (run == NULL || value == NULL) return STATUS_ERROR;
    if (kind != LAST_SUCCESSFUL_TIME) return STATUS_DISCARD;
    *value = run->now.start + run->now.time;
    return STATUS_OK;
}

EXPORT int fmi2GetIntegerStatus(Run *run, int kind, int *value) {
    (void)kind, (void)value;
    return run == NULL ? STATUS_ERROR : STATUS_DISCARD;
}

EXPORT int fmi2GetBooleanStatus(Run *run, int kind, Boolean *value) {
    if (run == NULL || value == NULL) return STATUS_ERROR;
    if (kind != TERMINATED_BY_MODEL) return STATUS_DISCARD;
    *value = run->now.phase == ENDED;
    return STATUS_OK;
}

EXPORT int fmi2GetStringStatus(Run *run, int kind, const char **value) {
    (void)kind, (void)value;
    return run == NULL ? STATUS_ERROR : STATUS_DISCARD;
}
