/** One Markdown page as HTML: headings with addresses, links between pages, tables that scroll. Pure. */
import { posix } from 'node:path';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

/** What the search looks through: a heading, and the words up to the next one. */
export interface Section {
  readonly heading: Heading;
  readonly text: string;
}

export interface RenderedPage {
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

export interface MarkdownPage {
  readonly text: string;
  /** The file, relative to the repository: its links are relative to its folder. */
  readonly file: string;
  /** The address of a linked file of the repository, or undefined where the site has none. */
  addressOf(file: string): string | undefined;
}

export function renderMarkdown({ text, file, addressOf }: MarkdownPage): RenderedPage {
  const plain = micromark(namedBlocks(text), {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    // The pages are our own; their file names above code blocks are HTML.
    allowDangerousHtml: true,
  });
  const { html, headings } = withIds(plain);
  const linked = html.replaceAll(/<a href="([^"]+)">(.*?)<\/a>/gs, (whole, href, label) =>
    link({ whole, href, label }, { file, addressOf }),
  );
  return { html: scrolling(linked), headings, sections: sectionsOf(html, headings) };
}

/** "```json locales/en/app.json": the name stands above the block. */
function namedBlocks(text: string): string {
  return text.replaceAll(
    /^```(\w+) (\S.*)$/gm,
    (_whole, language: string, name: string) =>
      `<p class="file-name">${escapeHtml(name)}</p>\n\n\`\`\`${language}`,
  );
}

function withIds(html: string): { html: string; headings: Heading[] } {
  const headings: Heading[] = [];
  const taken = new Map<string, number>();
  const replaced = html.replaceAll(
    /<h([1-6])>(.*?)<\/h\1>/gs,
    (_whole, level: string, content: string) => {
      const text = plainText(content);
      const slug = slugOf(text);
      const before = taken.get(slug) ?? 0;
      taken.set(slug, before + 1);
      const id = before === 0 ? slug : `${slug}-${before}`;
      headings.push({ level: Number(level), id, text });
      return `<h${level} id="${id}">${content}</h${level}>`;
    },
  );
  return { html: replaced, headings };
}

/** As GitHub makes them, so that links work in both places. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

interface Link {
  readonly whole: string;
  readonly href: string;
  readonly label: string;
}

/** A link to a file that the site does not have keeps its words alone. */
function link({ whole, href, label }: Link, page: Pick<MarkdownPage, 'file' | 'addressOf'>) {
  if (/^(?:https?:|mailto:|#)/.test(href)) return whole;
  const [path = '', fragment] = href.split('#');
  const target = posix.join(posix.dirname(page.file), path);
  const address = page.addressOf(target);
  if (address === undefined) return label;
  return `<a href="${address}${fragment === undefined ? '' : `#${fragment}`}">${label}</a>`;
}

/** Wide tables and code scroll by themselves; who has only a keyboard must be able to reach them. */
function scrolling(html: string): string {
  return (
    html
      .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>')
      .replaceAll('<pre>', '<pre tabindex="0">')
      .replaceAll('<th></th>', '<td></td>')
      // The long name of a setting is broken behind a dot.
      .replaceAll(/(?<=<td>)<code>[^<]*<\/code>/g, (code) => code.replaceAll('.', '.<wbr>'))
      .replaceAll(/(<code class="language-sh">)(.*?)(<\/code>)/gs, (_whole, open, code, close) => {
        const tinted = String(code).replaceAll(
          /(^|\s)(#.*)$/gm,
          '$1<span class="remark">$2</span>',
        );
        return `${open}${tinted}${close}`;
      })
  );
}

function sectionsOf(html: string, headings: readonly Heading[]): Section[] {
  const parts = html.split(/<h[1-6] id="[^"]*">.*?<\/h[1-6]>/gs).slice(1);
  return headings.map((heading, at) => ({ heading, text: plainText(parts[at] ?? '') }));
}

function plainText(html: string): string {
  return html
    .replaceAll(/<\/(?:p|li|td|th|tr|pre)>/g, ' ')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
