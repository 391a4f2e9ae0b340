/** Two hundred recordings at once, where the service works on ten: time, requests, memory. `--smoke`: twelve. */
import { openStudio } from './voice-studio.ts';

const RECORDINGS = process.argv.includes('--smoke') ? 12 : 200;
const SECONDS = 10;
/** Create, upload, two downloads and what is asked meanwhile. */
const MOST_REQUESTS_EACH = 10;

await using studio = await openStudio({
  to: '{ transcript: "out/{locale}/{dir}/{name}.txt", subtitles: "out/{locale}/{dir}/{name}.srt" }',
  timeScale: 10,
});
for (let nth = 0; nth < RECORDINGS; nth++) await studio.record(`${nth}.wav`, SECONDS, nth);
const { delivered, requests, seconds, rss } = await studio.once();
console.log(
  `${delivered} of ${RECORDINGS} recordings: ${seconds.toFixed(1)} s, ${requests} requests (${(requests / RECORDINGS).toFixed(1)} each), peak ${rss} MB`,
);
const again = await studio.once();
console.log(`once more: ${again.seconds.toFixed(1)} s, ${again.requests} requests`);
if (delivered !== RECORDINGS || requests > RECORDINGS * MOST_REQUESTS_EACH || again.requests > 0) {
  process.exitCode = 1;
}
