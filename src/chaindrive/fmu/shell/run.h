/* A run of the drive in memory of its own, whatever the version of the interface is called.

   model.h is generated: the image of control and parameters, what its places mean, and the variables. A run is a copy
   of the image; its state is what lies behind the blocks of words, which no kernel changes. So a state holds no
   address. It does hold indices (of contacts, of rows), so bytes of one are taken only if they are whole. */

#ifndef CHAINDRIVE_RUN_H
#define CHAINDRIVE_RUN_H

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

enum { STATUS_OK = 0, STATUS_WARNING = 1, STATUS_DISCARD = 2, STATUS_ERROR = 3, STATUS_FATAL = 4 };
/* Statuses have these numbers in both versions. */

typedef int Kernel(int64_t *answer, void **exception, void *control, void *parameters, void *aside);
Kernel chaindrive_advance_v1, chaindrive_advance_v3;
/* Of any x86-64 processor, and of those since about 2015. */

typedef enum { INSTANTIATED = 1, INITIALISING = 2, STEPPING = 4, ENDED = 8, TERMINATED = 16, BROKEN = 32 } Phase;

enum { SPEED = 1, POSITION = 2 }; /* kinds of courses, see contract/inputs.py */
enum { RUNNING = 0, REACHED_END = 1 }; /* codes of the loop, see contract/status.py */
#define BUDGET 1000000000LL

typedef struct {
    double time;  /* of the run, from its start [s] */
    double start; /* time of the importer at which it starts [s] */
    int64_t phase;
    int64_t changed; /* whether inputs have changed since the last step */
    double values[MODEL_VARIABLES > 0 ? MODEL_VARIABLES : 1]; /* of inputs and parameters */
} Progress;

typedef struct {
    uint64_t token; /* digest of the model */
    uint64_t size;  /* of the state [bytes] */
    Progress progress;
    /* the state itself follows */
} Snapshot;

typedef struct Run Run;
struct Run {
    char *memory; /* as allocated */
    char *image;
    char *name;
    Progress now;
    int begun;      /* whether outputs of the start are those of the present values */
    Kernel *kernel; /* the loop of the method, in code for this processor */
    void *environment;
    void (*log)(Run *, int status, const char *category, const char *message);
    void (*logger)(void); /* of the importer, by its own type */
    int may_return_early;
};

#define STATE_SIZE (MODEL_IMAGE_SIZE - MODEL_WORDS)
#define SNAPSHOT_SIZE (sizeof(Snapshot) + (size_t)STATE_SIZE)
#define BYTES_SIZE (SNAPSHOT_SIZE + sizeof(uint64_t)) /* of a serialised state: a snapshot and its checksum */
#define REAL(run, offset) (*(double *)((run)->image + (offset)))
#define WHOLE(run, offset) (*(int64_t *)((run)->image + (offset)))

static int report(Run *run, int status, const char *format, ...) {
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    run->log(run, status, status == STATUS_WARNING ? "logStatusWarning" : status == STATUS_DISCARD ? "logStatusDiscard" : "logStatusError",
             message);
    return status;
}

/* Whether a function may be called now; says so if not. */
static int may(Run *run, int phases, const char *function) {
    if (run == NULL) return 0;
    if (run->now.phase & phases) return 1;
    report(run, STATUS_ERROR, "%s must not be called %s.", function,
           run->now.phase == INSTANTIATED   ? "before the initialization"
           : run->now.phase == INITIALISING ? "during the initialization"
           : run->now.phase == STEPPING     ? "between steps"
           : run->now.phase == ENDED        ? "after the run has ended; set an earlier state, or reset"
           : run->now.phase == BROKEN       ? "after an error; reset, or free the instance"
                                            : "after the simulation was terminated");
    return 0;
}

/* The loop of the method. */

static void cpuid(uint32_t leaf, uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d) {
    __asm__ volatile("cpuid" : "=a"(*a), "=b"(*b), "=c"(*c), "=d"(*d) : "a"(leaf), "c"(0));
}

/* Whether processor and system can run code for x86-64-v3 (AVX2, FMA, BMI, F16C, LZCNT, MOVBE). */
static int has_v3(void) {
    uint32_t a, b, c, d, low, high;
    const uint32_t first = 1u << 12 | 1u << 22 | 1u << 23 | 1u << 27 | 1u << 28 | 1u << 29 | 1u << 19 | 1u << 20;
    const uint32_t seventh = 1u << 3 | 1u << 5 | 1u << 8;
    cpuid(0, &a, &b, &c, &d);
    if (a < 7) return 0;
    cpuid(1, &a, &b, &c, &d);
    if ((c & first) != first) return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6) return 0;
    cpuid(7, &a, &b, &c, &d);
    if ((b & seventh) != seventh) return 0;
    cpuid(0x80000000u, &a, &b, &c, &d);
    if (a < 0x80000001u) return 0;
    cpuid(0x80000001u, &a, &b, &c, &d);
    return (c & 1u << 5) != 0;
}

static int advance(Run *run, double until, int64_t budget, int64_t *code) {
    void *exception = NULL;
    REAL(run, MODEL_END) = until;
    do {
        WHOLE(run, MODEL_BUDGET) = budget;
        if (run->kernel(code, &exception, run->image + MODEL_CONTROL, run->image + MODEL_PARAMETERS,
                        run->image + MODEL_ASIDE) != 0)
            return 0;
    } while (*code == RUNNING && budget > 0);
    return 1;
}

/* Let a row be recorded at a time of the run: the outputs (Integrator.record_at). */
static void expect_row(Run *run, double time) {
    REAL(run, MODEL_INTERVAL) = time > 0.0 ? time : INFINITY;
    WHOLE(run, MODEL_NEXT_ROW) = time > 0.0;
    WHOLE(run, MODEL_FILLED) = 0;
}

static double power(double value, double exponent) { return exponent == 1.0 ? value : pow(value, exponent); }

/* Inputs and parameters into the numbers that they stand for: base + slope x value^power. */
static void apply(Run *run) {
    for (size_t k = 0; k < MODEL_EFFECTS; k++) {
        const Effect *effect = &model_effects[k];
        REAL(run, effect->offset) = effect->base + effect->slope * power(run->now.values[effect->variable], effect->power);
    }
}

/* Copy the image as far as this into the memory of the run. */
static void load(Run *run, size_t size) {
    memcpy(run->image, model_image, size);
    for (size_t k = 0; k < MODEL_POINTERS; k++) WHOLE(run, model_pointers[k]) += (int64_t)(intptr_t)run->image;
    apply(run);
}

/* Parts whose speed or position is given: an acceleration within the step to come leads to it (contract/inputs.py).

   A speed by a smooth ramp; a position with the mean speed of the step at its end. */
static void aim(Run *run, double duration) {
    for (size_t k = 0; k < MODEL_COURSES; k++) {
        const Course *course = &model_courses[k];
        double *cell = &REAL(run, course->cell), given = run->now.values[course->variable];
        double speed = REAL(run, course->speed), d = duration;
        cell[0] = run->now.time;
        cell[1] = cell[4] = 0.0;
        if (course->kind == SPEED) {
            double change = given - speed;
            cell[2] = -6.0 * change / (d * d * d);
            cell[3] = 6.0 * change / (d * d);
        } else {
            double change = speed - (given - REAL(run, course->position)) / d;
            cell[1] = -60.0 * change / (d * d * d * d);
            cell[2] = 96.0 * change / (d * d * d);
            cell[3] = -36.0 * change / (d * d);
        }
    }
}

static int broke(Run *run, const char *when) {
    run->now.phase = BROKEN;
    return report(run, STATUS_ERROR, "A compiled function raised an exception %s, at t = %.9g s.", when,
                  run->now.start + REAL(run, MODEL_TIME));
}

static int end(Run *run, int64_t code) {
    const char *text = "unknown ending";
    for (size_t k = 0; k < MODEL_ENDINGS; k++)
        if (model_endings[k].code == code) text = model_endings[k].text;
    run->now.phase = ENDED;
    return report(run, STATUS_DISCARD, "The run ended at t = %.9g s: %s", run->now.start + run->now.time, text);
}

/* Put the run to its start, with the present values. */
static int begin(Run *run) {
    int64_t code = 0;
    if (run->begun) return STATUS_OK;
    load(run, MODEL_IMAGE_SIZE);
    run->now.time = 0.0;
    run->now.changed = 0;
    expect_row(run, 0.0);
    if (!advance(run, 0.0, BUDGET, &code)) return broke(run, "at the start");
    run->begun = 1;
    return code == REACHED_END || code == RUNNING ? STATUS_OK : end(run, code);
}

/* Whether a step may begin at this time of the importer and take so long [s]; says so if not. */
static int fits(Run *run, double time, double duration) {
    double expected = run->now.start + run->now.time;
    if (!(duration > 0.0 && isfinite(duration)))
        report(run, STATUS_ERROR, "A step must take a finite time above zero, not %g s.", duration);
    else if (!(fabs(time - expected) <= 1e-6 * duration + 1e-12 * fabs(expected)))
        report(run, STATUS_ERROR, "The step must begin at t = %.17g s, where the last one ended, not at %.17g s.", expected, time);
    else
        return 1;
    return 0;
}

/* Integrate to a time of the run. STATUS_DISCARD: it ended before, at run->now.time. */
static int step(Run *run, double until) {
    int64_t code = 0;
    if (run->now.changed) {
        apply(run);
        WHOLE(run, MODEL_LOADS_CHANGED) = 1;
        run->now.changed = 0;
    }
    if (MODEL_COURSES > 0) {
        aim(run, until - run->now.time);
        WHOLE(run, MODEL_LOADS_CHANGED) = 1;
    }
    expect_row(run, until);
    if (!advance(run, until, BUDGET, &code)) return broke(run, "in a step");
    run->now.time = REAL(run, MODEL_TIME);
    if (code == REACHED_END) return STATUS_OK;
    int64_t again = 0;
    expect_row(run, run->now.time);
    if (!advance(run, until, 0, &again)) return broke(run, "at an ending");
    return end(run, code);
}

/* Variables */

static int get(Run *run, const uint32_t references[], size_t count, double values[]) {
    for (size_t k = 0; k < count; k++) {
        uint32_t v = references[k];
        if (v == MODEL_VARIABLES) {
            values[k] = run->now.start + run->now.time;
        } else if (v > MODEL_VARIABLES) {
            return report(run, STATUS_ERROR, "There is no variable with the value reference %u.", (unsigned)v);
        } else if (model_variables[v].kind != OUTPUT) {
            values[k] = run->now.values[v];
        } else if (run->now.phase == INSTANTIATED) {
            return report(run, STATUS_ERROR, "The output '%s' has no value before the initialization.", model_variables[v].name);
        } else {
            int status = run->now.phase == INITIALISING ? begin(run) : STATUS_OK;
            if (status != STATUS_OK) return status;
            values[k] = REAL(run, model_variables[v].offset);
        }
    }
    return STATUS_OK;
}

static int set(Run *run, const uint32_t references[], size_t count, const double values[]) {
    for (size_t k = 0; k < count; k++) {
        uint32_t v = references[k];
        if (v >= MODEL_VARIABLES || model_variables[v].kind == OUTPUT)
            return report(run, STATUS_ERROR, "The variable with the value reference %u is neither an input nor a parameter.", (unsigned)v);
        if (!isfinite(values[k]))
            return report(run, STATUS_ERROR, "'%s' must be a finite number.", model_variables[v].name);
        if (values[k] < model_variables[v].least || values[k] > model_variables[v].largest)
            return report(run, STATUS_ERROR, "'%s' must be between %g and %g, not %g.", model_variables[v].name,
                          model_variables[v].least, model_variables[v].largest, values[k]);
        if (model_variables[v].kind == PARAMETER && !(run->now.phase & (INSTANTIATED | INITIALISING)))
            return report(run, STATUS_ERROR, "The parameter '%s' can be set until the end of the initialization.",
                          model_variables[v].name);
        run->now.values[v] = values[k];
        run->now.changed = 1;
        if (run->now.phase & (INSTANTIATED | INITIALISING)) run->begun = 0;
    }
    return STATUS_OK;
}

/* Life of a run */

static void reset(Run *run) {
    memset(&run->now, 0, sizeof run->now);
    run->now.phase = INSTANTIATED;
    for (size_t v = 0; v < MODEL_VARIABLES; v++) run->now.values[v] = model_variables[v].initial;
    run->begun = 0;
}

static Run *new_run(const char *name) {
    Run *run = calloc(1, sizeof *run);
    if (run == NULL) return NULL;
    run->memory = calloc(1, MODEL_IMAGE_SIZE + 64);
    run->name = malloc(strlen(name) + 1);
    if (run->memory == NULL || run->name == NULL) {
        free(run->memory);
        free(run->name);
        free(run);
        return NULL;
    }
    run->image = (char *)(((uintptr_t)run->memory + 63) & ~(uintptr_t)63);
    strcpy(run->name, name);
    run->kernel = has_v3() ? chaindrive_advance_v3 : chaindrive_advance_v1;
    reset(run);
    return run;
}

static void free_run(Run *run) {
    if (run == NULL) return;
    free(run->memory);
    free(run->name);
    free(run);
}

/* States */

static int keep(Run *run, void **state) {
    Snapshot *kept = *state != NULL ? *state : malloc(SNAPSHOT_SIZE);
    if (kept == NULL) return report(run, STATUS_ERROR, "There is no memory for a state.");
    kept->token = MODEL_DIGEST;
    kept->size = STATE_SIZE;
    kept->progress = run->now;
    memcpy(kept + 1, run->image + MODEL_WORDS, STATE_SIZE);
    *state = kept;
    return STATUS_OK;
}

static int is_of_this_model(const Snapshot *kept) { return kept != NULL && kept->token == MODEL_DIGEST && kept->size == STATE_SIZE; }

static int put_back(Run *run, const void *state) {
    const Snapshot *kept = state;
    if (!is_of_this_model(kept)) return report(run, STATUS_ERROR, "The state does not belong to this model.");
    run->begun = 0;
    run->now = kept->progress;
    if (!(run->now.phase & (INSTANTIATED | INITIALISING))) {
        load(run, MODEL_WORDS);
        run->begun = 1;
    }
    memcpy(run->image + MODEL_WORDS, kept + 1, STATE_SIZE);
    return STATUS_OK;
}

/* FNV-1a of 64 bits (Fowler, Noll & Vo), begun with the digest of the model: bytes changed by accident are noticed.
   Whoever has the FMU can make up a state with its checksum, as they can make up another FMU. */
static uint64_t checksum(const char *bytes, size_t size) {
    uint64_t sum = 0xcbf29ce484222325ull ^ MODEL_DIGEST;
    for (size_t k = 0; k < size; k++) sum = (sum ^ (unsigned char)bytes[k]) * 0x100000001b3ull;
    return sum;
}

static int give_bytes(Run *run, const void *state, void *bytes, size_t size) {
    if (!is_of_this_model(state)) return report(run, STATUS_ERROR, "The state does not belong to this model.");
    if (size < BYTES_SIZE) return report(run, STATUS_ERROR, "A state of this model needs %zu bytes, not %zu.", BYTES_SIZE, size);
    uint64_t sum = checksum(state, SNAPSHOT_SIZE);
    memcpy(bytes, state, SNAPSHOT_SIZE);
    memcpy((char *)bytes + SNAPSHOT_SIZE, &sum, sizeof sum);
    return STATUS_OK;
}

static int take_bytes(Run *run, const void *bytes, size_t size, void **state) {
    Snapshot head;
    uint64_t sum;
    if (bytes == NULL || size != BYTES_SIZE)
        return report(run, STATUS_ERROR, "A state of this model has %zu bytes, not %zu.", BYTES_SIZE, size);
    memcpy(&head, bytes, sizeof head);
    if (!is_of_this_model(&head)) return report(run, STATUS_ERROR, "The state does not belong to this model.");
    memcpy(&sum, (const char *)bytes + SNAPSHOT_SIZE, sizeof sum);
    if (sum != checksum(bytes, SNAPSHOT_SIZE))
        return report(run, STATUS_ERROR, "The state is damaged: its checksum is not that of its bytes.");
    if ((*state = malloc(SNAPSHOT_SIZE)) == NULL) return report(run, STATUS_ERROR, "There is no memory for a state.");
    memcpy(*state, bytes, SNAPSHOT_SIZE);
    return STATUS_OK;
}

#endif
