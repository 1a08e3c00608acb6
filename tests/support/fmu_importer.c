/* A small importer of shared libraries of FMUs for co-simulation, which knows nothing of chaindrive: it loads the
   library, steps it, and prints the values of some variables.

   importer LIBRARY VERSION TOKEN STEP STEPS VARIABLES [INPUT VALUE]

   One row for each communication point: time and the variables with the value references 0 to VARIABLES - 1. With
   INPUT, that variable has the value from the first step on. Ends with 1 where a function did not answer "OK", which
   it prints; messages of the model go to standard error. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdarg.h>
#include <string.h>

#include "fmi2Functions.h"
#include "fmi3Functions.h"

#ifdef _WIN32
#include <windows.h>
#define OPEN(path) ((void *)LoadLibraryA(path))
#define FIND(library, name) ((void *)GetProcAddress((HMODULE)library, name))
#define CLOSE(library) FreeLibrary((HMODULE)library)
#else
#include <dlfcn.h>
#define OPEN(path) dlopen(path, RTLD_NOW | RTLD_LOCAL)
#define FIND(library, name) dlsym(library, name)
#define CLOSE(library) dlclose(library)
#endif

static void *library;

static void *find(const char *name) {
    void *found = FIND(library, name);
    if (found == NULL) {
        fprintf(stderr, "the library has no %s\n", name);
        exit(2);
    }
    return found;
}

static int answered(int status, const char *function) {
    if (status == 0) return 0;
    printf("%s answered %d\n", function, status);
    return 1;
}

static void log_two(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status, fmi2String category,
                 fmi2String format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s %d %s: ", instance, status, category);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    (void)environment;
}

static void log_three(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message) {
    fprintf(stderr, "%d %s: %s\n", status, category, message);
    (void)environment;
}

static void print(double time, const double values[], int count) {
    printf("%.17g", time);
    for (int k = 0; k < count; k++) printf(" %.17g", values[k]);
    putchar('\n');
}

/* Where the resources of the FMU are, which only some need. */
static const char *resources(void) {
    const char *given = getenv("FMU_RESOURCES");
    return given ? given : "";
}

static int two(const char *token, double step, int steps, const unsigned references[], double values[], int count,
               unsigned input, double value) {
    fmi2CallbackFunctions callbacks = {log_two, calloc, free, NULL, NULL};
    fmi2Component run = ((fmi2InstantiateTYPE *)find("fmi2Instantiate"))("one", fmi2CoSimulation, token, resources(), &callbacks, 0, 0);
    if (run == NULL) return 1;
    fmi2DoStepTYPE *do_step = find("fmi2DoStep");
    fmi2GetRealTYPE *get = find("fmi2GetReal");
    if (answered(((fmi2SetupExperimentTYPE *)find("fmi2SetupExperiment"))(run, 0, 0.0, 0.0, 0, 0.0), "fmi2SetupExperiment")) return 1;
    if (answered(((fmi2EnterInitializationModeTYPE *)find("fmi2EnterInitializationMode"))(run), "fmi2EnterInitializationMode")) return 1;
    if (answered(((fmi2ExitInitializationModeTYPE *)find("fmi2ExitInitializationMode"))(run), "fmi2ExitInitializationMode")) return 1;
    for (int k = 0;; k++) {
        if (answered(get(run, references, count, values), "fmi2GetReal")) return 1;
        print(k * step, values, count);
        if (k == steps) break;
        if (k == 0 && input != ~0u && answered(((fmi2SetRealTYPE *)find("fmi2SetReal"))(run, &input, 1, &value), "fmi2SetReal")) return 1;
        if (answered(do_step(run, k * step, step, 1), "fmi2DoStep")) return 1;
    }
    if (answered(((fmi2TerminateTYPE *)find("fmi2Terminate"))(run), "fmi2Terminate")) return 1;
    ((fmi2FreeInstanceTYPE *)find("fmi2FreeInstance"))(run);
    return 0;
}

static int three(const char *token, double step, int steps, const unsigned references[], double values[], int count,
                 unsigned input, double value) {
    fmi3Instance run = ((fmi3InstantiateCoSimulationTYPE *)find("fmi3InstantiateCoSimulation"))(
        "one", token, resources(), 0, 0, 0, 1, NULL, 0, NULL, log_three, NULL);
    if (run == NULL) return 1;
    fmi3DoStepTYPE *do_step = find("fmi3DoStep");
    fmi3GetFloat64TYPE *get = find("fmi3GetFloat64");
    if (answered(((fmi3EnterInitializationModeTYPE *)find("fmi3EnterInitializationMode"))(run, 0, 0.0, 0.0, 0, 0.0), "fmi3EnterInitializationMode")) return 1;
    if (answered(((fmi3ExitInitializationModeTYPE *)find("fmi3ExitInitializationMode"))(run), "fmi3ExitInitializationMode")) return 1;
    for (int k = 0;; k++) {
        bool event, terminate, early;
        double reached;
        if (answered(get(run, references, count, values, count), "fmi3GetFloat64")) return 1;
        print(k * step, values, count);
        if (k == steps) break;
        if (k == 0 && input != ~0u && answered(((fmi3SetFloat64TYPE *)find("fmi3SetFloat64"))(run, &input, 1, &value, 1), "fmi3SetFloat64")) return 1;
        if (answered(do_step(run, k * step, step, 1, &event, &terminate, &early, &reached), "fmi3DoStep")) return 1;
        if (terminate) return answered(2, "fmi3DoStep");
    }
    if (answered(((fmi3TerminateTYPE *)find("fmi3Terminate"))(run), "fmi3Terminate")) return 1;
    ((fmi3FreeInstanceTYPE *)find("fmi3FreeInstance"))(run);
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 7 && argc != 9) {
        fprintf(stderr, "importer LIBRARY VERSION TOKEN STEP STEPS VARIABLES [INPUT VALUE]\n");
        return 2;
    }
    library = OPEN(argv[1]);
    if (library == NULL) {
        fprintf(stderr, "%s could not be loaded\n", argv[1]);
        return 2;
    }
    double step = atof(argv[4]);
    int steps = atoi(argv[5]), count = atoi(argv[6]);
    unsigned *references = malloc(sizeof(unsigned) * (count + 1)), input = argc == 9 ? (unsigned)atoi(argv[7]) : ~0u;
    double *values = malloc(sizeof(double) * (count + 1)), value = argc == 9 ? atof(argv[8]) : 0.0;
    for (int k = 0; k < count; k++) references[k] = k;
    int found = (strcmp(argv[2], "2.0") == 0 ? two : three)(argv[3], step, steps, references, values, count, input, value);
    CLOSE(library);
    return found;
}
