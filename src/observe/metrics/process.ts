/** Figures of the process: event-loop delay, memory, processor time, under the usual names of Node dashboards. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Clock, OnwardTime } from '../../clock.ts';
import type { Family } from './exposition.ts';

const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;
const QUANTILES = [0.5, 0.9, 0.99] as const;
/** Milliseconds between measurements. Ten in a second cost nothing, and a shorter delay does not matter. */
const RESOLUTION_MS = 100;
/** Milliseconds that quantiles cover: those of a whole month would not show the delays of today. */
const WINDOW_MS = 10 * 60_000;

/** Measures from its construction until it is disposed. */
export class ProcessFigures implements Disposable {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #time: OnwardTime;
  readonly #startedAt: number;
  #windowFrom: number;
  /** The measurements of earlier windows: their sum in seconds, and their number. */
  #before = { sum: 0, count: 0 };

  constructor(clock: Clock) {
    this.#time = new OnwardTime(clock);
    this.#windowFrom = this.#time.now();
    this.#startedAt = this.#windowFrom / 1000 - process.uptime();
    this.#delay.enable();
  }

  families(): Family[] {
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    return [
      this.#loopDelay(),
      gauge('process_resident_memory_bytes', 'Memory of the process that is in RAM, bytes.', rss),
      gauge(
        'process_start_time_seconds',
        'When the process was started, seconds since the epoch.',
        this.#startedAt,
      ),
      gauge('nodejs_heap_size_used_bytes', 'JavaScript heap in use, bytes.', heapUsed),
      {
        name: 'process_cpu_seconds_total',
        help: 'Processor time of the process, user and system, seconds.',
        type: 'counter',
        samples: [{ labels: {}, value: (user + system) / MICROSECONDS }],
      },
    ];
  }

  [Symbol.dispose](): void {
    this.#delay.disable();
  }

  #loopDelay(): Family {
    const delay = this.#delay;
    const now = { sum: sumOf(delay), count: delay.count };
    const [sum, count] = [this.#before.sum + now.sum, this.#before.count + now.count];
    const family: Family = {
      name: 'dragoman_event_loop_delay_seconds',
      help: 'Delay of the event loop, seconds; quantiles of the last minutes.',
      type: 'summary',
      samples: [
        ...QUANTILES.map((quantile) => ({
          labels: { quantile: String(quantile) },
          value: lateness(delay.percentile(quantile * 100)),
        })),
        { suffix: '_sum', labels: {}, value: sum },
        { suffix: '_count', labels: {}, value: count },
      ],
    };
    if (this.#time.now() - this.#windowFrom >= WINDOW_MS) {
      this.#before = { sum, count };
      this.#windowFrom = this.#time.now();
      delay.reset();
    }
    return family;
  }
}

function sumOf({ mean, count }: { mean: number; count: number }): number {
  return Number.isNaN(mean) ? 0 : lateness(mean) * count;
}

/** The delay in seconds. Node measures the time between two ticks; the delay is the time above the resolution. */
function lateness(nanoseconds: number): number {
  return Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1000);
}

function gauge(name: string, help: string, value: number): Family {
  return { name, help, type: 'gauge', samples: [{ labels: {}, value }] };
}
