/** A text that a person wrote in the place of a missing translation is nobody's translation: the source cannot remove or replace it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const FORMATS = {
  html: {
    block: (text: string) => `<p>${text}</p>`,
    own: (text: string) => `<div class="own"><p>${text}</p></div>`,
  },
  md: { block: (text: string) => text, own: (text: string) => text },
  mdx: { block: (text: string) => text, own: (text: string) => `<Note>\n\n${text}\n\n</Note>` },
  txt: { block: (text: string) => text, own: (text: string) => text },
};
const extension = fc.constantFrom(...(['html', 'md', 'mdx', 'txt'] as const));

const english = (number: number) => `Paragraph ${number} about boats`;
const german = (number: number) => `Absatz ${number} über Boote`;

/** The parts of a person's text that a translation of its neighbour could not have: other numbers, no numbers, or another length. */
const own = fc.constantFrom(
  (number: number) => `Eigenes ${number} von Jana`,
  () => 'Eigenes von Jana',
  () => 'Jana hat hier sehr viel über den Hafen ihrer Stadt geschrieben. '.repeat(5).trim(),
);

const change = fc.constantFrom('removed', 'edited');
/** The edit of the person in the own text before the source changes. */
const touch = fc.constantFrom('', ' Neu.');

test("a source paragraph that is removed or edited never takes a person's own text with it", async () => {
  await fc.assert(
    fc.asyncProperty(
      ...[extension, fc.integer({ min: 2, max: 6 }), fc.nat(), own, change, touch],
      async (format, count, nth, textOf, what, more) => {
        const { block, own: around } = FORMATS[format];
        const [from, to] = [`docs/en/a.${format}`, `docs/de/a.${format}`];
        const numbers = Array.from({ length: count + 1 }, (_, at) => 100 + at);
        const lacks = 100 + (nth % numbers.length);
        const jana = textOf(501);
        const page = (texts: readonly string[]) => `${texts.join('\n\n')}\n`;
        const route = `{ from: "docs/{locale}/**/*.${format}", lane: text }`;
        const person = page(
          numbers.map((number) => (number === lacks ? around(jana) : block(german(number)))),
        );
        const files = { [from]: page(numbers.map((number) => block(english(number)))) };
        const jobs = await TextJobs.of(route, { ...files, [to]: person });
        const first = await jobs.run(from);
        expect(first.bought).toEqual([]);
        expect(await jobs.read(to)).toBe(person);
        await jobs.write(to, person.replace(jana, jana + more));
        await jobs.run(from);
        const later = numbers.flatMap((number) => {
          if (number !== lacks) return [block(english(number))];
          return what === 'removed' ? [] : [block(`${english(number)} and ships`)];
        });
        await jobs.write(from, page(later));
        await jobs.run(from);
        const after = await jobs.read(to);
        for (const text of [jana + more, ...numbers.filter((n) => n !== lacks).map(german)]) {
          expect(after).toContain(text);
        }
      },
    ),
  );
});
