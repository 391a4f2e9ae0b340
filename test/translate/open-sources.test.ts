import { describe, expect, it } from 'vitest';
import { OpenSources } from '../../src/translate/open-sources.ts';

const KB = 1024;

function counted() {
  const opened: string[] = [];
  const sources = new OpenSources<{ readonly key: string }>();
  const get = (key: string, bytes: number) =>
    sources.get({ key, bytes }, () => {
      opened.push(key);
      return { key };
    });
  return { opened, get };
}

describe('sources that are open', () => {
  it('are parsed once for all their languages', () => {
    const { opened, get } = counted();
    const [german, french] = [get('guide', KB), get('guide', KB)];
    expect(german).toBe(french);
    expect(opened).toEqual(['guide']);
  });

  it('are shared while a draft holds them, also where they are too large to be kept', () => {
    const { opened, get } = counted();
    const held = get('large', 50 * KB * KB);
    for (let n = 0; n < 300; n++) get(`small ${n}`, KB);
    expect(get('large', 50 * KB * KB)).toBe(held);
    expect(opened.filter((key) => key === 'large')).toHaveLength(1);
  });

  it('are opened again when the parser refused them', () => {
    const sources = new OpenSources<object>();
    const broken = () => {
      throw new Error('malformed');
    };
    expect(() => sources.get({ key: 'a', bytes: 1 }, broken)).toThrow('malformed');
    expect(sources.get({ key: 'a', bytes: 1 }, () => ({ ok: true }))).toEqual({ ok: true });
  });
});
