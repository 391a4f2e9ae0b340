/** A request becomes a damaged one: mostly in its body, whose length is told right, then in its address, its headers, or anywhere. */
import type { Seeded } from '../seeded.ts';
import { mutate } from './mutate.ts';
import { HEAD_END } from './requests.ts';

/** Values that nobody expects in a field. */
const VALUES: readonly unknown[] = [
  ...[null, true, -1, 0, 1e308, '', ' ', [], {}, [[]], [null], [{}], '{{glossary}}', 'de', 'xx'],
  ...['x'.repeat(70_000), '\0', '\ud800', '../../etc/passwd', '__proto__', { __proto__: 1 }, '%'],
  Array.from({ length: 2000 }, () => 'x'),
  nested(3000),
];

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let n = 0; n < depth; n++) value = [value];
  return value;
}

/** @param other another request to the same server */
export function mutateRequest(bytes: Uint8Array, random: Seeded, other: Uint8Array): Uint8Array {
  const [head, body] = partsOf(bytes);
  const [otherHead, otherBody] = partsOf(other);
  const [line = '', ...headers] = head.split('\r\n');
  const again = (text: string, rest: string) =>
    Buffer.from(mutate(Buffer.from(text, 'latin1'), random, Buffer.from(rest, 'latin1'))).toString(
      'latin1',
    );
  switch (random.below(8)) {
    case 0:
      return Buffer.from(again(head + HEAD_END + body, otherHead), 'latin1');
    case 1:
      return joined([line, again(headers.join('\r\n'), otherHead)], body);
    case 2:
      return joined([again(line, otherHead.split('\r\n')[0] ?? ''), ...headers], body);
    // Another body than the address expects.
    case 3:
      return joined([line, ...headers], otherBody);
    case 4:
    case 5:
      return joined([line, ...headers], again(body, otherBody));
    default:
      return joined([line, ...headers], otherValue(body, random) ?? again(body, otherBody));
  }
}

function partsOf(bytes: Uint8Array): [head: string, body: string] {
  const text = Buffer.from(bytes).toString('latin1');
  const end = text.indexOf(HEAD_END);
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + HEAD_END.length)];
}

function joined(head: readonly string[], body: string): Buffer {
  return Buffer.from(head.join('\r\n') + HEAD_END + body, 'latin1');
}

/** One value of a JSON body is another one; undefined for what is not a JSON object. */
function otherValue(body: string, random: Seeded): string | undefined {
  const places: { readonly holder: Record<string, unknown>; readonly name: string }[] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const holder = value as Record<string, unknown>;
    for (const name of Object.keys(holder)) {
      places.push({ holder, name });
      collect(holder[name]);
    }
  };
  const whole = parsed(body);
  collect(whole);
  if (places.length === 0) return undefined;
  const { holder, name } = random.pick(places);
  holder[name] = random.pick(VALUES);
  return JSON.stringify(whole);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
