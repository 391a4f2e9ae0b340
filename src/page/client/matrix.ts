/** Projects by language: how far each is. Symbol and words say it; colour only helps. */
import { html } from 'htm/preact';
import type { LanguageLine, ProjectLine } from '../../overview.ts';
import { languageMark, number } from './words.ts';

export function Matrix({ projects }: { projects: readonly ProjectLine[] }) {
  const languages = [
    ...new Set(projects.flatMap((project) => project.languages.map(({ language }) => language))),
  ].sort();
  return html`
    <section aria-labelledby="projects">
      <h2 id="projects">Projects</h2>
      ${
        projects.length === 0
          ? html`<p class="note">No source has been found yet.</p>`
          : html`
          <div class="scroll" role="region" aria-label="Projects by language" tabindex="0">
            <table class="matrix">
              <thead>
                <tr><th scope="col">Project</th>${languages.map((language) => html`<th scope="col" key=${language}>${language}</th>`)}</tr>
              </thead>
              <tbody>
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
    <tr>
      <th scope="row">${project.name}</th>
      ${languages.map((language) => html`<${Cell} key=${language} line=${lines.get(language)} />`)}
    </tr>
  `;
}

function Cell({ line }: { line: LanguageLine | undefined }) {
  if (line === undefined) return html`<td class="note">–</td>`;
  const { symbol, tone, words } = languageMark(line);
  return html`
    <td>
      <span class="mark ${tone}"><b aria-hidden="true">${symbol}</b> ${number(line.done)}/${number(line.total)}</span>
      <small>${words}</small>
    </td>
  `;
}
