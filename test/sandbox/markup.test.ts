/** How `POST /v2/translate` treats texts with markup, and where it cuts them into sentences. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { phrasebookEngine } from '../../src/sandbox/engines/phrasebook.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { type Caller, callerOf } from './caller.ts';

let sandbox: Sandbox;
let call: Caller;

beforeAll(async () => {
  sandbox = await startSandbox({ engine: 'plain' });
  call = callerOf(sandbox);
});

afterAll(async () => sandbox[Symbol.asyncDispose]());

async function translated(text: string, more: object): Promise<string> {
  const { body } = await call('POST /v2/translate', {
    text: [text],
    source_lang: 'en',
    target_lang: 'de',
    ...more,
  });
  return (body as { translations: { text: string }[] }).translations[0]?.text ?? '';
}

describe('HTML', () => {
  test.each([
    ['<p>go <b translate="no">key</b> on</p>', '<p>ɠǿ <b translate="no">key</b> ǿƞ</p>'],
    ["<b TRANSLATE='NO'>key</b> on", "<b TRANSLATE='NO'>key</b> ǿƞ"],
    ['<i class="a notranslate b">key</i> on', '<i class="a notranslate b">key</i> ǿƞ'],
    ['<i class=notranslate>key</i> on', '<i class=notranslate>key</i> ǿƞ'],
    ['<i class="notranslated">go</i> on', '<i class="notranslated">ɠǿ</i> ǿƞ'],
    [
      'go <script>if (a < b) go("</p>");</script> on',
      'ɠǿ <script>if (a < b) go("</p>");</script> ǿƞ',
    ],
    ['<STYLE>p { a: b }</style> on', '<STYLE>p { a: b }</style> ǿƞ'],
    ['go <!-- a <b> note --> on', 'ɠǿ <!-- a <b> note --> ǿƞ'],
    ['go <![CDATA[ note ]]> on', 'ɠǿ <![CDATA[ note ]]> ǿƞ'],
    ['<div translate="no"><div>a</div>b</div>go', '<div translate="no"><div>a</div>b</div>ɠǿ'],
    ['<br translate="no">go', '<br translate="no">ɠǿ'],
    ['<p class="notranslate">never closed', '<p class="notranslate">never closed'],
  ])('%j becomes %j', async (text, expected) => {
    expect(await translated(text, { tag_handling: 'html' })).toBe(expected);
  });
});

describe('XML', () => {
  test.each([
    ['<a>go <b translate="no">key</b></a>', '<a>ɠǿ <b translate="no">key</b></a>'],
    ['go <!-- note --> <?pi note?> on', 'ɠǿ <!-- note --> <?pi note?> ǿƞ'],
    ['<a><![CDATA[go & <on>]]></a>', '<a><![CDATA[ɠǿ & <on>]]></a>'],
    ['<?xml version="1.0"?>\n<a>go</a>', '<?xml version="1.0"?>\n<a>ɠǿ</a>'],
    ['<script>go</script>', '<script>ɠǿ</script>'],
    ['go &amp; on&nbsp;', 'ɠǿ &amp; ǿƞ&nbsp;'],
  ])('%j becomes %j', async (text, expected) => {
    expect(await translated(text, { tag_handling: 'xml' })).toBe(expected);
  });

  test.each([
    ['<x>key</x> on', '<x>key</x> ǿƞ'],
    ['go <x a="1">key</x>', 'ɠǿ <x a="1">key</x>'],
    ['<x>key</x>', '<x>key</x>'],
    ['<x>a<x>b</x>c</x>go', '<x>a<x>b</x>c</x>ɠǿ'],
    ['<xx>go</xx>', '<xx>ɠǿ</xx>'],
  ])('with ignore_tags x, %j becomes %j', async (text, expected) => {
    expect(await translated(text, { tag_handling: 'xml', ignore_tags: 'x' })).toBe(expected);
    expect(await translated(text, { ignore_tags: ['x'] })).toBe(expected);
  });

  test('a section at the edge of a text stays outside the frame of the pseudo engine', async () => {
    await using framing = await startSandbox();
    const { text } = await callerOf(framing)('POST /v2/translate', {
      text: ['<a><![CDATA[go]]></a>', '<x>key</x> go on'],
      target_lang: 'de',
      source_lang: 'en',
      tag_handling: 'xml',
      ignore_tags: ['x'],
    });
    expect(text).toContain('<a><![CDATA[[de ɠǿ ~]]]></a>');
    expect(text).toContain('<x>key</x> [de ɠǿ ǿƞ ~]');
  });

  test('a term of a glossary is escaped in the text, and unchanged in a section', async () => {
    const made = await call('POST /v3/glossaries', {
      name: 'terms',
      dictionaries: [
        { source_lang: 'en', target_lang: 'de', entries: 'lab\tR&D', entries_format: 'tsv' },
      ],
    });
    const more = { tag_handling: 'xml', glossary_id: made.field('glossary_id') };
    expect(await translated('<a>lab<![CDATA[lab]]></a>', more)).toBe(
      '<a>R&amp;D<![CDATA[R&D]]></a>',
    );
    expect(await translated('lab', { ...more, tag_handling: undefined })).toBe('R&D');
  });

  test.each([
    ['go <b>on', 'entry 1, line 1, column 9'],
    ['go\n <b>on</i>', 'entry 1, line 2, column 7'],
    ['</b>', 'entry 1, line 1, column 1'],
    ['a & b', 'entry 1, line 1, column 3'],
    ['a < b', 'entry 1, line 1, column 4'],
    ['<a b=c>d</a>', 'entry 1, line 1, column 4'],
    ['a\nb <!-- c', 'entry 1, line 2, column 3'],
    ['<![CDATA[ c', 'entry 1, line 1, column 1'],
  ])('%j is refused with %s', async (text, place) => {
    const before = sandbox.counters().billed_characters;
    const { status, body } = await call('POST /v2/translate', {
      text: ['<fine/>', text],
      target_lang: 'de',
      tag_handling: 'xml',
    });
    expect(status).toBe(400);
    expect(body).toEqual({
      message: expect.stringMatching(new RegExp(`'text' is malformed XML at ${place}: `)),
    });
    expect(sandbox.counters().billed_characters).toBe(before);
  });

  test('the same text passes where it is no XML', async () => {
    expect(await translated('go <b>on', {})).toBe('ɠǿ <b>ǿƞ');
    expect(await translated('go <b>on', { tag_handling: 'html' })).toBe('ɠǿ <b>ǿƞ');
  });
});

describe('sentences', () => {
  const BOOK = { de: { 'We go\non': 'Wir gehen weiter', 'We go': 'Wir gehen', on: 'an' } };
  const CUT = 'Wir gehen\nan';
  const WHOLE = 'Wir gehen weiter';

  test.each([
    [{}, CUT],
    [{ split_sentences: '1' }, CUT],
    [{ split_sentences: '0' }, WHOLE],
    [{ split_sentences: 'nonewlines' }, WHOLE],
    [{ tag_handling: 'xml' }, CUT],
    [{ tag_handling: 'xml', split_sentences: 'nonewlines' }, WHOLE],
    [{ tag_handling: 'html' }, WHOLE],
    [{ tag_handling: 'html', split_sentences: '1' }, CUT],
    [{ model_type: 'latency_optimized' }, CUT],
    // Rule 2: next-generation models decide by themselves.
    [{ model_type: 'quality_optimized', split_sentences: '1' }, WHOLE],
    [{ custom_instructions: ['x'] }, WHOLE],
    // Rule 1: detection uses them.
    [{ source_lang: undefined, split_sentences: '1' }, WHOLE],
  ])('a line end with %j gives %j', async (more, expected) => {
    await using reading = await startSandbox({ engine: phrasebookEngine(BOOK) });
    const { body } = await callerOf(reading)('POST /v2/translate', {
      text: ['We go\non'],
      source_lang: 'en',
      target_lang: 'de',
      ...more,
    });
    expect(body).toMatchObject({ translations: [{ text: expect.stringContaining(expected) }] });
  });

  test('line ends of any kind stay, and those within kept elements cut nothing', async () => {
    const text = 'a\r\n\r\nb\n<x>c\nd</x>e';
    expect(await translated(text, { ignore_tags: ['x'] })).toBe('ȧ\r\n\r\nƀ\n<x>c\nd</x>ḗ');
  });
});
