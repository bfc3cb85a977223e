// Durations in nanoseconds, in a histogram of HdrHistogram's layout, and the clock that measures them.
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <time.h>

#define HIGHEST_NANOSECONDS 60000000000
#define HALF_MAGNITUDE 10 // 2,048 buckets for 0 to 2,047 ns, 1,024 for every octave above

struct histogram {
    long counts[32 << HALF_MAGNITUDE];
    long total, sum, largest, smallest; // the smallest is HIGHEST_NANOSECONDS at first
};

static inline long read_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000 + time.tv_nsec;
}

static inline void record(struct histogram *histogram, long nanoseconds)
{
    long value = nanoseconds < 0 ? 0 : nanoseconds > HIGHEST_NANOSECONDS ? HIGHEST_NANOSECONDS : nanoseconds;
    int octave = 64 - HALF_MAGNITUDE - 1 - __builtin_clzl((unsigned long)value | ((2 << HALF_MAGNITUDE) - 1));
    histogram->counts[((long)octave << HALF_MAGNITUDE) + (value >> octave)]++;
    histogram->total++;
    histogram->sum += value;
    histogram->largest = value > histogram->largest ? value : histogram->largest;
    histogram->smallest = value < histogram->smallest ? value : histogram->smallest;
}

#endif
