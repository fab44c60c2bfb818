// measure-process COUNT PROGRAM ARGUMENT…: median milliseconds from start to end, and the greatest peak, of a program.
//
// A program of its own because a child's peak never reads lower than the memory of the process that started it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

struct run {
    double milliseconds;
    long kilobytes;
    int status;
};

static int run(char **arguments, struct run *result) {
    posix_spawn_file_actions_t actions;
    struct timespec start, end;
    struct rusage usage;
    pid_t child;
    int status;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    clock_gettime(CLOCK_MONOTONIC, &start);
    int code = posix_spawnp(&child, arguments[0], &actions, 0, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code != 0) return code;
    wait4(child, &status, 0, &usage);
    clock_gettime(CLOCK_MONOTONIC, &end);
    result->milliseconds = (double)(end.tv_sec - start.tv_sec) * 1e3 + (double)(end.tv_nsec - start.tv_nsec) / 1e6;
    result->kilobytes = usage.ru_maxrss;
    result->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return 0;
}

static int compare(const void *one, const void *other) {
    double difference = *(const double *)one - *(const double *)other;
    return (difference > 0) - (difference < 0);
}

int main(int count, char **arguments) {
    int rounds = count > 2 ? atoi(arguments[1]) : 0;
    if (rounds < 1) {
        fprintf(stderr, "usage: measure-process COUNT PROGRAM ARGUMENT…\n");
        return 2;
    }
    double *times = calloc((size_t)rounds, sizeof *times);
    long kilobytes = 0;
    int status = 0;
    for (int round = 0; round < rounds; round++) {
        struct run result;
        if (run(arguments + 2, &result) != 0) {
            fprintf(stderr, "measure-process: cannot start %s\n", arguments[2]);
            return 1;
        }
        times[round] = result.milliseconds;
        if (result.kilobytes > kilobytes) kilobytes = result.kilobytes;
        if (result.status > status) status = result.status;
    }
    qsort(times, (size_t)rounds, sizeof *times, compare);
    printf("{\"milliseconds\": %.4f, \"peakKilobytes\": %ld, \"status\": %d}\n", times[rounds / 2], kilobytes, status);
    free(times);
    return 0;
}
