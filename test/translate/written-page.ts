/** The Markdown of a random page in one of its languages. */
import { type Dialect, type Part, plainStyle, type Style } from './random-page.ts';

export interface Writing {
  readonly language: 'en' | 'de';
  readonly dialect: Dialect;
  readonly style: Style;
}

export function written(page: Part, writing: Writing): string {
  const { language, dialect, style } = writing;
  const back = language === 'de' ? '../..' : '..';
  const author = language === 'de' ? ['author: Jana'] : [];
  const lines = ['---', ...author, `title: ${page[language]}`, 'order: 3', '---', ''];
  if (dialect === 'mdx') lines.push(`import { Card, Aside } from '${back}/c';`, '');
  page.parts.forEach((section, at) => {
    if (at > 0) lines.push(...blank(style.aboveSection));
    lines.push(...headingOf(section, writing));
    section.parts.forEach((part, index) => {
      lines.push(...blank(index === 0 ? style.belowHeading : 1));
      if (language === 'de' && part.note !== undefined) lines.push(part.note, '');
      lines.push(...blockOf(part, writing));
    });
  });
  return `${lines.join('\n')}\n`;
}

/** Whether each part can be told from its neighbour: two lists side by side would be one. */
export function isClear(part: Part): boolean {
  return part.parts.every((inner, at) => {
    const next = part.parts[at + 1];
    const areOne =
      (inner.kind === 'list' && next?.kind === 'list') ||
      (['quote', 'box'].includes(inner.kind) && ['quote', 'box'].includes(next?.kind ?? ''));
    return !areOne && isClear(inner);
  });
}

const blank = (lines: number): string[] => Array.from({ length: lines }, () => '');

function headingOf(section: Part, { language, style }: Writing): string[] {
  const words = section[language] ?? '';
  const { variant, isNew } = section;
  if (isNew || style.heading === 'hashes') return [`${variant} ${words}`];
  if (style.heading === 'underlined' && variant === '##') return [words, '--------'];
  return [style.heading === 'closed' ? `${variant} ${words} ${variant}` : `${variant} ${words}`];
}

function blockOf(part: Part, given: Writing): string[] {
  const writing = part.isNew ? { ...given, style: plainStyle() } : given;
  const words = part[writing.language] ?? '';
  switch (part.kind) {
    case 'list':
      return listOf(part, writing);
    case 'box':
      return boxOf(part, writing);
    case 'table':
      return tableOf(part, writing);
    case 'code': {
      const isTranslated = writing.language === 'de' && writing.style.comments === 'translated';
      const comment = isTranslated ? 'Anmerkung' : 'comment';
      return [`\`\`\`${part.variant}`, `start_${part.id}`, `# ${comment} ${part.id}`, '```'];
    }
    case 'quote':
      return bodyOf(part, writing).map((line) => `> ${line}`.trimEnd());
    case 'details': {
      const head = ['<details>', `<summary>${words}</summary>`, ''];
      return [...head, ...bodyOf(part, writing), '', '</details>'];
    }
    case 'element': {
      const head = `<${part.variant} title="${words}">`;
      return [head, '', ...bodyOf(part, writing), '', `</${part.variant}>`];
    }
    case 'image':
      return [`<img src="/img/${part.id}.png" width="10" />`];
    default:
      return writing.language === 'de' && writing.style.wrap === 'yes' && !words.includes('](')
        ? wrapped(part, words)
        : [words];
  }
}

function wrapped({ isBought }: Part, words: string): string[] {
  const [first, ...rest] = words.match(/^(?:\S+ ){3}|.+$/g) ?? [];
  return isBought || rest.length === 0 ? [words] : [first?.trimEnd() ?? '', rest.join('')];
}

const bodyOf = (part: Part, writing: Writing): string[] =>
  part.parts.flatMap((inner, at) => [...blank(at === 0 ? 0 : 1), ...blockOf(inner, writing)]);

function listOf({ variant, parts }: Part, writing: Writing): string[] {
  const { bullet, number } = writing.style;
  return parts.flatMap((item, at) => {
    const mark = variant === '' ? bullet : `${at + 1}${number}`;
    const indent = ' '.repeat(mark.length + 1);
    const inner = item.parts.flatMap((part) => {
      const lines = blockOf(part, writing).map((line) => `${indent}${line}`.trimEnd());
      return part.kind === 'list' ? lines : ['', ...lines, ''];
    });
    return [`${mark} ${item[writing.language]}`, ...inner];
  });
}

function boxOf(part: Part, writing: Writing): string[] {
  const { dialect, language, style } = writing;
  const own = language === 'de' ? part.ownTitle : undefined;
  const title = part[language] ?? own ?? '';
  const hasGap = style.insideBox === 1 || part.parts[0]?.kind === 'list';
  const gap = blank(hasGap ? 1 : 0);
  const body = bodyOf(part, writing);
  switch (dialect) {
    case 'vitepress':
      return [
        `${style.colons} ${part.variant} ${title}`.trimEnd(),
        ...[...gap, ...body, ...gap, style.colons],
      ];
    case 'docusaurus':
    case 'mdx': {
      const label = title === '' ? '' : `[${title}]`;
      return [`${style.colons}${part.variant}${label}`, ...gap, ...body, ...gap, style.colons];
    }
    case 'mkdocs': {
      const label = title === '' ? '' : ` "${title}"`;
      const inner = body.map((line) => (line === '' ? '' : `    ${line}`));
      return [`!!! ${part.variant}${label}`, ...gap, ...inner];
    }
    case 'alerts':
      return [
        `> [!${part.variant.toUpperCase()}] ${title}`.trimEnd(),
        ...body.map((line) => `> ${line}`.trimEnd()),
      ];
  }
}

function tableOf({ parts }: Part, { language, style }: Writing): string[] {
  const [head = '', ...rows] = parts.map(
    (row) => `| ${row.parts.map((cell) => cell[language]).join(' | ')} |`,
  );
  return [head, `| ${style.delimiters} | ${style.delimiters} |`, ...rows];
}
