/** A film that nobody made, always the same. */

const WORDS =
  'when we came home last night nobody was there and the door stood open so I called your name but only the wind answered me from the garden'.split(
    ' ',
  );

/** An SRT of cues of three to nine words; every second or third ends its sentence. Deterministic. */
export function generatedFilm(cues: number): string {
  let seed = 7;
  // mulberry32: 32 bits of state, all of them used.
  const random = (below: number) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  const at = (ms: number) => {
    const [days, rest] = [Math.floor(ms / 86_400_000), ms % 86_400_000];
    const clock = new Date(rest).toISOString().slice(11, 23).replace('.', ',');
    return `${String(days * 24 + Number(clock.slice(0, 2))).padStart(2, '0')}${clock.slice(2)}`;
  };
  let time = 1000;
  return Array.from({ length: cues }, (_, nth) => {
    const text = Array.from({ length: 3 + random(7) }, () => WORDS[random(WORDS.length)]).join(' ');
    const [start, end] = [time, time + 900 + random(2500)];
    time = end + (random(9) === 0 ? 4000 : 120);
    return `${nth + 1}\n${at(start)} --> ${at(end)}\n${text}${random(5) < 2 ? '.' : random(3) === 0 ? ',' : ''}\n`;
  }).join('\n');
}
