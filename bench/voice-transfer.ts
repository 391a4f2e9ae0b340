/**
 * Memory for a recording of a gigabyte, and for the same amount of returned speech: neither may ever be whole in memory.
 * `node bench/voice-transfer.ts [megabytes]`, 1000 when absent; `--smoke`: 20.
 */
import { openStudio } from './voice-studio.ts';

const BYTES_PER_SECOND = 32_000;
const DAY_MS = 86_400_000;
const MOST_MB = 400;

const megabytes = process.argv.includes('--smoke') ? 20 : Number(process.argv[2] ?? 1000);
const seconds = Math.round((megabytes * 1_000_000) / BYTES_PER_SECOND);

// The service's time runs so fast that its windows, in its own time, must be days.
await using studio = await openStudio({
  to: '{ speech: "out/{locale}/{dir}/{name}.wav" }',
  timeScale: 2000,
  limits: {
    voice_bytes: 4_000_000_000,
    voice_seconds: seconds + 1,
    voice_upload_window: DAY_MS,
    voice_download_window: 10 * DAY_MS,
  },
});
await studio.record('a.wav', 1, 1);
const small = await studio.once();
await studio.record('b.wav', seconds, 2);
const large = await studio.once();
console.log(`1 s of sound: peak ${small.rss} MB`);
console.log(
  `${megabytes} MB up and about as much down: peak ${large.rss} MB, ${large.seconds.toFixed(1)} s, ${large.requests} requests`,
);
if (large.rss > MOST_MB) {
  console.error(`more than ${MOST_MB} MB`);
  process.exitCode = 1;
}
