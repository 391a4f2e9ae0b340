/** Whether the service lets this key use the style lists of the config: free plans have none. */
import type { Config } from '../config.ts';
import { failureOf } from '../failure.ts';
import type { LanguageTag } from '../language.ts';
import { recipeFor } from '../plan/recipe.ts';
import type { Project } from '../project.ts';
import type { CallOptions } from '../service/call.ts';
import type { Service } from '../service/client.ts';
import type { Blocker } from './blockers.ts';

/** Asks nothing when the config has no style list. @throws JobFailure for every answer that does not decide it */
export async function askForStyles(
  { styles }: Pick<Service, 'styles'>,
  { projects }: Pick<Config, 'projects'>,
  options?: CallOptions,
): Promise<Blocker[]> {
  const users = projects
    .map((project) => ({ name: project.name, languages: styledLanguages(project) }))
    .filter(({ languages }) => languages.length > 0);
  if (users.length === 0) return [];
  try {
    await styles.list({ page: 0, page_size: 1 }, options);
    return [];
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind !== 'forbidden') throw error;
    const languages = new Set(users.flatMap((user) => user.languages));
    return [
      {
        kind: 'styles-forbidden',
        message: failure.message,
        projects: users.map(({ name }) => name),
        languages: [...languages],
      },
    ];
  }
}

/** Languages that are translated with a style list, or with the one of their base language. */
function styledLanguages(project: Project): LanguageTag[] {
  if (project.rules.styles.size === 0) return [];
  return project.targets.filter((language) => recipeFor(project, language).style !== undefined);
}
