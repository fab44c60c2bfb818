// Faults on demand: stands between the program and libc, counts the calls that touch files below one folder, and at the
// one asked for kills the process, tears a write or gives an error. Linux with glibc; one thread at a time.
#pragma once

enum faults_kind {
    FAULTS_COUNT,  // only counts
    FAULTS_KILL,   // SIGKILL in front of the call
    FAULTS_TORN,   // half of a write, then SIGKILL
    FAULTS_ERROR,  // the call gives an error; of a write half has happened
    FAULTS_SHORT,  // half of a write happens, and the call says so; writes alone count
};

// From now on, call number `nth` (from 1) below `root`, and `times - 1` calls after it, meet the fault.
// `reads`: calls that change nothing count, too.
void faults_arm(const char *root, enum faults_kind kind, int error, long nth, long times, int reads);

// Ends it. Returns how many calls were counted.
long faults_disarm(void);

// The name and file of the first call that met the fault; empty for none.
const char *faults_hit(void);

// From now on, `folder` gets what a loss of power would leave of `root`: of each file what was last synced, of each
// folder the names that were last synced. What is there already counts as synced.
void faults_shadow(const char *root, const char *folder);
