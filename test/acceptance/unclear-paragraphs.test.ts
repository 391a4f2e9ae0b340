/** Paragraphs of a page that are held because the text in their place can hardly be their translation, and `retry` of them. */
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { Rig } from '../rig.ts';

const config = `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "docs/{locale}/*.{md,mdx,html,txt}", lane: text }
`;

const FORMATS = {
  md: (text: string) => text,
  mdx: (text: string) => text,
  html: (text: string) => `<p>${text}</p>`,
  txt: (text: string) => text,
};

const JANA = 'Eigenes 501 von Jana';

test.each(['md', 'mdx', 'html', 'txt'] as const)(
  'retry buys the held paragraph of a page once, and the text of a person in its place stays (.%s)',
  async (extension) => {
    const block = FORMATS[extension];
    const page = (texts: readonly string[]) => `${texts.map(block).join('\n\n')}\n`;
    const [from, to] = [`docs/en/a.${extension}`, `docs/de/a.${extension}`];
    const english = (number: number) => `Paragraph ${number} about boats`;
    const [first, last] = ['Absatz 101 über Boote', 'Absatz 103 über Boote'];
    const person = page([first, JANA, last]);
    const files = { [from]: page([101, 102, 103].map(english)), [to]: person };
    await using rig = await Rig.start({ config, files });
    for (let run = 0; run < 2; run++) {
      expect(await rig.once()).toMatchObject({ code: 2, billed_characters: 0, failed: [] });
      expect(rig.read(to)).toBe(person);
    }
    await rig.run('retry', to, '--yes');
    const retried = await rig.once();
    const price = english(102).length;
    expect(retried).toMatchObject({ code: 0, delivered: 1, held: [], billed_characters: price });
    expect(billed(rig)).toBe(price);
    const after = rig.read(to);
    const texts = after.match(
      /Absatz 10\d über Boote|Eigenes 501 von Jana|\[de [^\]]*102[^\]]*\]/g,
    );
    expect(texts).toHaveLength(4);
    expect(texts?.filter((text) => !text.startsWith('[de '))).toEqual([first, JANA, last]);
    expect(texts?.slice(1, 3)).toContainEqual(expect.stringMatching(/^\[de /));
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 0, requests: 0 });
    rig.write(from, page([101, 102, 103, 104].map(english)));
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, billed_characters: price });
    expect(rig.read(to)).toContain(block(JANA));
  },
);
