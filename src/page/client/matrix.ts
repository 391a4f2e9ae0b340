/** The progress of projects by language. Symbol and words say it; colour only helps. */
import { html } from 'htm/preact';
import type { LanguageLine, ProjectLine } from '../../control/report.ts';
import { languageBadge, number } from './words.ts';

/** Number of languages that fit beside each other. */
const MOST_BESIDE = 9;

export function Matrix({ projects }: { projects: readonly ProjectLine[] }) {
  const languages = [
    ...new Set(projects.flatMap((project) => project.languages.map(({ language }) => language))),
  ].sort();
  return html`
    <section aria-labelledby="projects">
      <h2 id="projects">Projects</h2>
      ${
        projects.length === 0
          ? html`<p class="note">The config names none.</p>`
          : html`
          <div class="scroll" role="region" aria-label="Projects by language" tabindex="0">
            <table class="matrix ${languages.length > MOST_BESIDE ? 'many' : ''}" role="table">
              <thead role="rowgroup">
                <tr role="row"><th scope="col" role="columnheader">Project</th>${languages.map((language) => html`<th scope="col" role="columnheader" key=${language}>${language}</th>`)}</tr>
              </thead>
              <tbody role="rowgroup">
                ${projects.map((project) => html`<${Row} key=${project.name} project=${project} languages=${languages} />`)}
              </tbody>
            </table>
          </div>`
      }
    </section>
  `;
}

function Row({ project, languages }: { project: ProjectLine; languages: readonly string[] }) {
  const lines = new Map(project.languages.map((line) => [line.language, line]));
  return html`
    <tr role="row">
      <th scope="row" role="rowheader">${project.name}</th>
      ${languages.map((language) => html`<${Cell} key=${language} language=${language} line=${lines.get(language)} />`)}
    </tr>
  `;
}

interface CellProps {
  readonly language: string;
  /** Undefined when the language is not one of the project. */
  readonly line: LanguageLine | undefined;
}

function Cell({ language, line }: CellProps) {
  if (line === undefined) return html`<td role="cell" class="note none">–</td>`;
  const { symbol, tone, words } = languageBadge(line);
  return html`
    <td role="cell">
      <span class="label" aria-hidden="true">${language} </span>
      <span class="mark ${tone}"><b aria-hidden="true">${symbol}</b>${line.total > 0 && ` ${number(line.done)}/${number(line.total)}`}</span>
      <small>${words}</small>
    </td>
  `;
}
