/** Tags with apostrophes in ICU messages, as they are sent and as they are delivered. */
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
      - { from: "l10n/app_{locale}.arb" }
      - { from: "locales/{locale}/*.json" }
`;

const files = {
  'l10n/app_en.arb': JSON.stringify({
    '@@locale': 'en',
    link: "<a href='x'>The link</a>",
    title: "<a title=''x''>A word</a>",
  }),
  'locales/en/app.json': JSON.stringify({
    files: "{n, plural, one {<b class='y'># file</b>} other {<b class='y'># files</b>}}",
  }),
};

test('a message with apostrophes in its tags is delivered and billed once', async () => {
  await using rig = await Rig.start({ config, files });
  const plan = JSON.parse((await rig.run('plan', '--json')).stdout) as Record<string, unknown>;
  const run = await rig.once();
  expect(run).toMatchObject({ code: 0, delivered: 2, held: [], failed: [] });
  const sent = ['The link', 'A word', '1 file', '2 files'];
  expect(billed(rig)).toBe(sent.join('').length);
  expect(run.billed_characters).toBe(billed(rig));
  expect(plan['estimated_characters']).toBe(billed(rig));
  const { link, title } = rig.json('l10n/app_de.arb');
  expect(link).toMatch(/^<a href='x'>\[de .*\]<\/a>$/);
  expect(title).toMatch(/^<a title=''x''>\[de .*\]<\/a>$/);
  expect(rig.json('locales/de/app.json')['files']).toMatch(
    /^\{n, plural, one \{<b class='y'>\[de # .*\]<\/b>\} other \{<b class='y'>\[de # .*\]<\/b>\}\}$/,
  );
  expect(rig.sandbox.counters().asked_twice).toEqual([]);
  const again = await rig.once();
  expect(again).toMatchObject({ code: 0, delivered: 0, requests: 0, billed_characters: 0 });
});
