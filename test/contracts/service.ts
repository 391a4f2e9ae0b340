/**
 * The behaviour that every deployment of the API must have, tested through the client. It asks each endpoint once, with texts so short that
 * a real account can pay for them.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Failure } from '../../src/failure.ts';
import { type ConnectOptions, connect, type Service } from '../../src/service/client.ts';
import type { DownloadSink } from '../../src/service/download.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export interface ContractTarget {
  /** The address and the key of the service; one test uses a wrong `key` on purpose, which changes nothing else. */
  readonly options: ConnectOptions;
  /** The features of this account beside text, documents, languages, glossaries and usage. */
  readonly features: ReadonlySet<ContractFeature>;
  /** Milliseconds between polls. */
  readonly pollMs: number;
}

export type ContractFeature =
  | 'write'
  | 'detection'
  | 'styles'
  | 'memories'
  | 'voice'
  | 'administration'
  /** A recording of silence gives results too, where real recognition may hear nothing. */
  | 'hears_silence'
  /** `/v2/usage` shows at once what was billed. */
  | 'exact_usage';

const EN_DE = { source_lang: 'en', target_lang: 'de' } as const;

/** @param open called once per test; the suite ends the client that it makes */
export function serviceContract(name: string, open: () => Promise<ContractTarget>): void {
  const contract = (
    sentence: string,
    run: (service: Service, target: ContractTarget) => Promise<void>,
    needs?: ContractFeature,
  ) =>
    test(sentence, async ({ skip }) => {
      const target = await open();
      if (needs !== undefined && !target.features.has(needs)) skip(`without ${needs}`);
      await using service = connect(target.options);
      await run(service, target);
    });

  describe(name, () => {
    describe('text', () => textContract(contract));
    describe('documents', () => documentContract(contract));
    describe('writing and detection', () => writingContract(contract));
    describe('languages', () => languageContract(contract));
    describe('glossaries', () => glossaryContract(contract));
    describe('styles and memories', () => styleContract(contract));
    describe('voice', () => voiceContract(contract));
    describe('account and administration', () => accountContract(contract));
  });
}

type Contract = (
  sentence: string,
  run: (service: Service, target: ContractTarget) => Promise<void>,
  needs?: ContractFeature,
) => void;

function textContract(contract: Contract): void {
  contract('each text is translated, in order, and billed by code points', async (service) => {
    const result = await service.text.translate({ ...EN_DE, text: ['Hello', 'Bye 💡'] });
    expect(result.translations).toHaveLength(2);
    expect(result.translations.every(({ text }) => text !== '')).toBe(true);
    expect(result).toMatchObject({ billed_characters: 10, billed_by_service: true });
  });

  contract('a detected source language is named', async (service) => {
    const text = ['Good morning, how are you today?'];
    const { translations } = await service.text.translate({ text, target_lang: 'de' });
    expect(translations[0]?.detected_source_language.toLowerCase()).toBe('en');
  });

  contract(
    'context is not billed, and the model is named when one was asked for',
    async (service) => {
      const { billed_characters, model_type_used } = await service.text.translate({
        ...EN_DE,
        text: ['Bank'],
        context: 'We sat at the river.',
        model_type: 'prefer_quality_optimized',
        split_sentences: 'nonewlines',
        formality: 'prefer_less',
        preserve_formatting: true,
      });
      expect(billed_characters).toBe(4);
      expect(model_type_used).toEqual(expect.any(String));
    },
  );

  contract('tags survive with all tag parameters', async (service) => {
    const { translations } = await service.text.translate({
      ...EN_DE,
      text: ['<p>Hello <x id="1"/>world</p>'],
      tag_handling: 'xml',
      tag_handling_version: 'v2',
      outline_detection: false,
      splitting_tags: ['p', 'br'],
      non_splitting_tags: ['b', 'i'],
      ignore_tags: ['code', 'x'],
    });
    expect(translations[0]?.text).toContain('<x id="1"/>');
  });

  contract('one language into a variant of itself is billed and unchanged', async (service) => {
    const { translations, billed_characters } = await service.text.translate({
      text: ['Hello'],
      source_lang: 'en',
      target_lang: 'en-GB',
    });
    expect([translations[0]?.text, billed_characters]).toEqual(['Hello', 5]);
  });

  contract('an unknown language is rejected with the service’s words', async (service) => {
    const failure = await refusalOf(service.text.translate({ text: ['a'], target_lang: 'xx' }));
    expect(failure).toMatchObject({ kind: 'rejected', status: 400 });
    expect((failure as { message: string }).message).not.toBe('');
  });

  contract('an unknown glossary is refused', async (service) => {
    const glossary_id = '00000000-0000-4000-8000-000000000000';
    const failure = await refusalOf(service.text.translate({ ...EN_DE, text: ['a'], glossary_id }));
    expect(['not-found', 'rejected']).toContain(failure.kind);
  });

  contract(
    'instructions and a memory are accepted',
    async (service) => {
      const [memory] = await service.memories.list({});
      const { translations } = await service.text.translate({
        ...EN_DE,
        text: ['Hello'],
        custom_instructions: ['Be brief'],
        ...(memory && {
          translation_memory_id: memory.translation_memory_id,
          translation_memory_threshold: 80,
        }),
      });
      expect(translations[0]?.text).not.toBe('');
    },
    'memories',
  );
}

function documentContract(contract: Contract): void {
  contract(
    'a document is uploaded, polled, fetched once and then gone',
    async (service, target) => {
      const folder = await temporaryFolder();
      const file = join(folder, 'hello.txt');
      await writeFile(file, 'Hello world.\n');
      const order: string[] = [];
      const handle = await service.documents.upload(
        { ...EN_DE, file, filename: 'hello.txt' },
        { onClosing: async () => void order.push('closing') },
      );
      const done = await poll(target, async () => {
        const status = await service.documents.status(handle);
        return status.status === 'done' || status.status === 'error' ? status : undefined;
      });
      expect(done.status).toBe('done');
      expect(done.billed_characters).toBeGreaterThan(0);
      const spool = new Spool();
      const download = await service.documents.result(handle, spool);
      expect(download).toEqual({ kind: 'downloaded', bytes: spool.bytes.byteLength });
      expect(spool.bytes.byteLength).toBeGreaterThan(0);
      expect(order).toEqual(['closing']);
      const again = await refusalOf(service.documents.result(handle, new Spool()));
      expect(again.kind).toBe('not-found');
      expect((await refusalOf(service.documents.status(handle))).kind).toBe('not-found');
    },
  );

  contract('an unknown document is not found', async (service) => {
    const handle = { document_id: 'F'.repeat(32), document_key: 'E'.repeat(64) };
    expect((await refusalOf(service.documents.status(handle))).kind).toBe('not-found');
  });
}

function writingContract(contract: Contract): void {
  contract(
    'texts are improved in order, with a style',
    async (service) => {
      const { improvements, counted_characters } = await service.writing.rephrase({
        text: ['i has a apple', 'You is here'],
        target_lang: 'en-US',
        writing_style: 'business',
      });
      expect(improvements).toHaveLength(2);
      expect(improvements[0]?.detected_source_language.toLowerCase()).toContain('en');
      expect(counted_characters).toBe(24);
    },
    'write',
  );

  contract(
    'a tone without target language is allowed in its prefer form',
    async (service) => {
      const { improvements } = await service.writing.rephrase({
        text: ['Please send me the file today.'],
        tone: 'prefer_friendly',
      });
      expect(improvements[0]?.text).not.toBe('');
    },
    'write',
  );

  contract(
    'languages are detected for each text, or not',
    async (service) => {
      const { results } = await service.detection.detect([
        'Guten Morgen, wie geht es Ihnen heute? Das Wetter ist schön.',
        '12345',
      ]);
      expect(results[0]).toEqual({ detection_status: 'success', detected_language: 'de' });
      expect(results[1]?.detection_status).not.toBe('success');
    },
    'detection',
  );
}

function languageContract(contract: Contract): void {
  contract('v3 lists the languages of each resource', async (service) => {
    for (const resource of ['translate_text', 'translate_document', 'glossary'] as const) {
      const languages = await service.languages.list({ resource });
      expect(languages.some(({ usable_as_target }) => usable_as_target)).toBe(true);
    }
    const all = await service.languages.list({
      resource: 'translate_text',
      include: ['beta', 'external'],
    });
    const german = all.find(({ lang }) => lang === 'de');
    expect(Object.keys(german?.features ?? {})).toContain('formality');
  });

  contract('resources name their features', async (service) => {
    const names = (await service.languages.resources()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['translate_text', 'translate_document']));
  });

  contract('the deprecated lists still answer', async (service) => {
    const targets = await service.languages.legacy('target');
    expect(targets.find(({ language }) => language === 'DE')?.supports_formality).toBe(true);
    expect((await service.languages.legacy('source')).length).toBeGreaterThan(0);
    expect((await service.languages.glossaryPairs()).length).toBeGreaterThan(0);
  });
}

function glossaryContract(contract: Contract): void {
  contract('a glossary is made, read, edited, used and removed', async (service, target) => {
    const name = `dragoman contract ${Date.now()}`;
    const entries = 'hello\tmoin\n';
    const made = await service.glossaries.create({
      name,
      dictionaries: [{ ...EN_DE, entries, entries_format: 'tsv' }],
    });
    const { glossary_id } = made;
    try {
      await poll(target, async () => {
        const { ready = true } = await service.glossaries.get(glossary_id);
        return ready || undefined;
      });
      expect(made.dictionaries[0]?.entry_count).toBe(1);
      const listed = await service.glossaries.list();
      expect(listed.map((one) => one.glossary_id)).toContain(glossary_id);
      const read = await service.glossaries.entries(glossary_id, EN_DE);
      expect(read.entries.trim()).toBe('hello\tmoin');
      await service.text.translate({ ...EN_DE, text: ['hello'], glossary_id });
      await editGlossary(service, { glossary_id, name });
    } finally {
      await service.glossaries.remove(glossary_id);
    }
    expect((await refusalOf(service.glossaries.get(glossary_id))).kind).toBe('not-found');
  });

  contract('duplicate phrases are not sent, and named with their indices', async (service) => {
    const failure = await refusalOf(
      service.glossaries.create({
        name: 'dragoman contract duplicates',
        dictionaries: [{ ...EN_DE, entries: 'a\tb\na\tc\n', entries_format: 'tsv' }],
      }),
    );
    expect(failure).toMatchObject({ kind: 'invalid-request', parameter: 'entries' });
    expect((failure as { rule: string }).rule).toContain('0 and 1');
  });

  contract('a legacy glossary is made, read as TSV and removed', async (service) => {
    const { glossary_id } = await service.legacyGlossaries.create({
      name: 'dragoman contract v2',
      ...EN_DE,
      entries: 'hello,moin',
      entries_format: 'csv',
    });
    const listed = await service.legacyGlossaries.list();
    expect(listed.map((one) => one.glossary_id)).toContain(glossary_id);
    expect(await service.legacyGlossaries.get(glossary_id)).toMatchObject({ entry_count: 1 });
    expect((await service.legacyGlossaries.entries(glossary_id)).trim()).toBe('hello\tmoin');
    await service.legacyGlossaries.remove(glossary_id);
    expect((await refusalOf(service.legacyGlossaries.get(glossary_id))).kind).toBe('not-found');
  });
}

async function editGlossary(
  service: Service,
  { glossary_id, name }: { glossary_id: string; name: string },
): Promise<void> {
  const merged = await service.glossaries.update(glossary_id, {
    name: `${name} renamed`,
    dictionaries: [{ ...EN_DE, entries: 'bye,tschüs', entries_format: 'csv' }],
  });
  expect(merged).toMatchObject({ name: `${name} renamed`, dictionaries: [{ entry_count: 2 }] });
  const french = { source_lang: 'en', target_lang: 'fr' };
  const put = await service.glossaries.putDictionary(glossary_id, {
    ...french,
    entries: 'hello,salut',
    entries_format: 'csv',
  });
  expect(put.entry_count).toBe(1);
  await service.glossaries.removeDictionary(glossary_id, french);
  expect((await service.glossaries.get(glossary_id)).dictionaries).toHaveLength(1);
}

function styleContract(contract: Contract): void {
  contract(
    'a style list is made, changed, used and removed',
    async (service) => {
      const made = await service.styles.create({
        name: 'dragoman contract',
        language: 'de',
        configured_rules: { dates_and_times: { calendar_era: 'use_bc_and_ad' } },
        custom_instructions: [{ label: 'Tone', prompt: 'Be friendly' }],
      });
      const { style_id } = made;
      try {
        expect(made.custom_instructions).toMatchObject([{ label: 'Tone', prompt: 'Be friendly' }]);
        await changeStyle(service, style_id);
        const page = await service.styles.list({ page: 0, page_size: 25 });
        expect(page.map((one) => one.style_id)).toContain(style_id);
        const detailed = await service.styles.listDetailed();
        expect(detailed.find((one) => one.style_id === style_id)?.custom_instructions).toHaveLength(
          2,
        );
        await service.text.translate({ ...EN_DE, text: ['Hi'], style_id });
      } finally {
        await service.styles.remove(style_id);
      }
      expect((await refusalOf(service.styles.get(style_id))).kind).toBe('not-found');
      expect((await refusalOf(service.styles.remove(style_id))).kind).toBe('not-found');
    },
    'styles',
  );

  contract(
    'single instructions change where the deployment has them',
    async (service) => {
      const style = await service.styles.create({
        name: 'dragoman contract instructions',
        language: 'de',
        custom_instructions: [{ label: 'Tone', prompt: 'Be friendly' }],
      });
      const at = { style_id: style.style_id, id: style.custom_instructions[0]?.id ?? '' };
      const calm = { label: 'Tone', prompt: 'Be calm' };
      try {
        if (!service.capabilities.has('instruction_edit')) {
          const failure = await refusalOf(service.styles.updateInstruction(at, calm));
          expect(failure.kind).toBe('unsupported');
          return;
        }
        const changed = await service.styles.updateInstruction(at, calm);
        expect(changed.custom_instructions).toMatchObject([calm]);
        expect(await service.styles.getInstruction(at)).toMatchObject(calm);
        await service.styles.removeInstruction(at);
        expect((await service.styles.get(style.style_id)).custom_instructions).toEqual([]);
      } finally {
        await service.styles.remove(style.style_id);
      }
    },
    'styles',
  );

  contract(
    'memories are listed',
    async (service) => {
      const all = await service.memories.listAll();
      expect(all).toEqual(await service.memories.list({ page: 0, page_size: 25 }));
    },
    'memories',
  );
}

async function changeStyle(service: Service, style_id: string): Promise<void> {
  const renamed = await service.styles.rename(style_id, 'dragoman contract renamed');
  expect(renamed.name).toBe('dragoman contract renamed');
  const rules = { punctuation: { apostrophe: 'use_curly_apostrophes' } };
  const replaced = await service.styles.replaceRules(style_id, rules);
  expect(replaced.configured_rules).toEqual(rules);
  const added = await service.styles.addInstruction(style_id, { label: 'B', prompt: 'Be brief' });
  expect(added.custom_instructions.map(({ label }) => label)).toEqual(['Tone', 'B']);
  expect(added.version).toBeGreaterThan(replaced.version);
}

function voiceContract(contract: Contract): void {
  contract(
    'audio goes to the asset host, and each target is fetched once',
    async (service, target) => {
      const file = join(await temporaryFolder(), 'beep.wav');
      const audio = silentWave(1);
      await writeFile(file, audio);
      const ticket = await service.voice.create({
        source_file: {
          name: 'beep.wav',
          content_type: 'audio/wav',
          content_length: audio.byteLength,
        },
        parameters: { source_language: 'en' },
        targets: [
          { language: 'de', type: 'text/plain' },
          { language: 'de', type: 'application/x-subrip' },
        ],
      });
      const order: string[] = [];
      await service.voice.upload(ticket, file, {
        onClosing: async () => void order.push('closing'),
      });
      const job = await poll(target, async () => {
        const found = await service.voice.get(ticket.job_id);
        const settled = found.results.every(({ status }) =>
          ['complete', 'failed'].includes(status),
        );
        return settled ? found : undefined;
      });
      expect(job.targets.map(({ type }) => type)).toEqual(['text/plain', 'application/x-subrip']);
      for (const result of job.results) {
        if (result.status === 'failed' && !target.features.has('hears_silence')) continue;
        const spool = new Spool();
        const download = await service.voice.download(result, spool);
        expect(download).toEqual({ kind: 'downloaded', bytes: spool.bytes.byteLength });
      }
      expect(order).toEqual(['closing']);
    },
    'voice',
  );

  contract(
    'an unknown job is not found',
    async (service) => {
      const job_id = '00000000-0000-4000-8000-000000000000';
      expect((await refusalOf(service.voice.get(job_id))).kind).toBe('not-found');
    },
    'voice',
  );
}

function accountContract(contract: Contract): void {
  contract(
    'usage grows by what was billed',
    async (service) => {
      const before = await service.account.usage();
      const { billed_characters } = await service.text.translate({ ...EN_DE, text: ['Hello'] });
      const after = await service.account.usage();
      expect(after.character_count - before.character_count).toBe(billed_characters);
    },
    'exact_usage',
  );

  contract('a wrong key is refused and stops paid work', async (_, target) => {
    await using service = connect({ ...target.options, key: 'wrong-key' });
    expect((await refusalOf(service.account.usage())).kind).toBe('key-refused');
    const refused = await refusalOf(service.text.translate({ ...EN_DE, text: ['a'] }));
    expect(refused.kind).toBe('key-refused');
    expect(service.state.kind).toBe('stopped');
  });

  contract(
    'developer keys live from creation to deactivation',
    async (service) => {
      const made = await service.keys.create({ label: 'dragoman contract' });
      const { key_id } = made;
      expect((await service.keys.rename(key_id, 'dragoman renamed')).label).toBe(
        'dragoman renamed',
      );
      const limited = await service.keys.limit(key_id, 10);
      expect(limited.usage_limits?.characters).toBe(10);
      const unlimited = await service.keys.limit(key_id, null);
      expect(unlimited.usage_limits?.characters ?? null).toBeNull();
      expect((await service.keys.deactivate(key_id)).is_deactivated).toBe(true);
      const listed = await service.keys.list();
      expect(listed.find((one) => one.key_id === key_id)?.is_deactivated).toBe(true);
    },
    'administration',
  );

  contract(
    'analytics come in all three groupings',
    async (service) => {
      const today = new Date().toISOString().slice(0, 10);
      const range = { start_date: today, end_date: today };
      expect(await service.analytics.report(range)).toMatchObject({ start_date: today });
      const byKey = await service.analytics.report({ ...range, group_by: 'key' });
      expect(byKey.key_usages).toEqual(expect.any(Array));
      const byDay = await service.analytics.report({ ...range, group_by: 'key_and_day' });
      expect(byDay.key_and_day_usages).toEqual(expect.any(Array));
    },
    'administration',
  );

  contract(
    'an unknown developer key is not found',
    async (service) => {
      const id = '00000000-0000-4000-8000-000000000000';
      const failure = await refusalOf(service.keys.deactivate(`${id}:${id}`));
      expect(failure.kind).toBe('not-found');
    },
    'administration',
  );
}

class Spool implements DownloadSink {
  bytes = Buffer.alloc(0);

  async headers(): Promise<void> {
    this.bytes = Buffer.alloc(0);
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.bytes = Buffer.concat([this.bytes, chunk]);
  }
}

async function poll<T>({ pollMs }: ContractTarget, ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await wait(pollMs);
  }
}

async function refusalOf(call: Promise<unknown>): Promise<Failure> {
  try {
    await call;
  } catch (error) {
    return (error as { failure: Failure }).failure;
  }
  throw new Error('the service did not refuse');
}

/** Canonical WAV: 16 kHz, one channel, 16 bits. */
function silentWave(seconds: number): Buffer {
  const data = Buffer.alloc(seconds * 32_000);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.byteLength, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(16_000, 24);
  head.writeUInt32LE(32_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.byteLength, 40);
  return Buffer.concat([head, data]);
}
