/**
 * Terms and styles that change after a document was bought. If `retranslate_on` names them, the document is bought again, but only if they
 * apply to it.
 */
import { describe, test } from 'vitest';
import { billed, requests } from '../../counts.ts';
import { office, UPLOAD } from './office.ts';

const TERMS = 'harbour,Hafen,en,de\nboat,Boot,en,de\n';
const glossary = (more = '') => `glossary: { name: terms, csv: terms.csv }\n    ${more}`;
const files = {
  'in/a.txt': 'The harbour is closed\n',
  'in/b.txt': 'The weather is fine\n',
  'terms.csv': TERMS,
};
const onGlossary = glossary('retranslate_on: [source, glossary]');

describe('a glossary that changes', () => {
  test('buys the documents again whose text holds the term, and no other', async ({ expect }) => {
    await using rig = await office({ files, project: onGlossary });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 2 });
    rig.write('terms.csv', TERMS.replace('Hafen', 'Seehafen'));
    const plan = JSON.parse((await rig.run('plan', '--json')).stdout);
    expect(plan.estimated_characters).toBe(files['in/a.txt'].length);
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(rig.read('out/de/a.txt')).toContain('Seehafen');
    expect(requests(rig, UPLOAD)).toBe(3);
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 0, unchanged: 2 });
    expect(requests(rig, UPLOAD)).toBe(3);
  });

  test('buys nothing again when the old term comes back: that is paid', async ({ expect }) => {
    await using rig = await office({ files, project: onGlossary });
    await rig.once();
    rig.write('terms.csv', TERMS.replace('Hafen', 'Seehafen'));
    await rig.once();
    const before = billed(rig);
    rig.write('terms.csv', TERMS);
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(rig.read('out/de/a.txt')).not.toContain('Seehafen');
    expect(billed(rig)).toBe(before);
  });

  test('buys nothing again where config does not ask for it, nor when it only begins to ask', async ({
    expect,
  }) => {
    await using rig = await office({ files, project: glossary() });
    await rig.once();
    const config = rig.read('dragoman.yaml');
    rig.write('dragoman.yaml', config.replace(glossary(), onGlossary));
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 0, billed_characters: 0 });
    rig.write('dragoman.yaml', config);
    rig.write('terms.csv', TERMS.replace('Hafen', 'Seehafen'));
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 0, billed_characters: 0 });
    expect(requests(rig, UPLOAD)).toBe(2);
  });

  test('buys again what was bought without one', async ({ expect }) => {
    await using rig = await office({ files, project: 'retranslate_on: [source, glossary]' });
    await rig.once();
    const config = rig.read('dragoman.yaml');
    rig.write('dragoman.yaml', config.replace('retranslate_on: [source, glossary]', onGlossary));
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(rig.read('out/de/a.txt')).toContain('Hafen');
  });

  test('leaves what a person edited alone', async ({ expect }) => {
    await using rig = await office({ files, project: onGlossary });
    await rig.once();
    rig.write('out/de/a.txt', 'Von Menschen\n');
    rig.write('terms.csv', TERMS.replace('Hafen', 'Seehafen'));
    expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0 });
    rig.write('terms.csv', TERMS.replace('Hafen', 'Port'));
    expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0 });
    expect(rig.read('out/de/a.txt')).toBe('Von Menschen\n');
  });

  test('says of files that only the service can read that it does not buy them again', async ({
    expect,
  }) => {
    await using rig = await office({
      files: { 'in/a.pdf': '%PDF-1.7\n%%EOF\n', 'terms.csv': TERMS },
      project: onGlossary,
    });
    const plan = JSON.parse((await rig.run('plan', '--json')).stdout);
    expect(plan.notes).toContain(
      'office: a changed glossary buys no pdf again: only the service can read it',
    );
  });
});

describe('a style that changes', () => {
  const style = (rule: string) =>
    `name: house\nlanguage: de\nconfigured_rules: {}\ncustom_instructions:\n  - { label: tone, prompt: "${rule}" }\n`;

  test('buys documents again where the deployment takes styles with them', async ({ expect }) => {
    await using rig = await office({
      files: { 'in/a.txt': 'Hello there\n', 'style.yaml': style('Be brief') },
      project: 'style: { de: style.yaml }\n    retranslate_on: [source, style]',
      service: '  capabilities: [document_style]',
      sandbox: { dialect: 'deployed' },
    });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    rig.write('style.yaml', style('Be very brief'));
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(requests(rig, UPLOAD)).toBe(2);
  });
});
