/** `dragoman completion SHELL`: prints a completion script made from the commands' own options. */
import { Command } from 'commander';
import { type CliCommand, UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';
import { addGlobalOptions } from './global-options.ts';

/** What can be typed after a command's name. */
interface Completion {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly string[];
}

const SCRIPTS: Readonly<Record<string, (commands: readonly Completion[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export const command: CliCommand = {
  describe(command: Command) {
    command.argument('<shell>', 'bash, zsh or fish').addHelpText(
      'after',
      `
Examples:
  dragoman completion bash > ~/.local/share/bash-completion/completions/dragoman
  dragoman completion zsh > ~/.zfunc/_dragoman
  dragoman completion fish > ~/.config/fish/completions/dragoman.fish`,
    );
  },
  async run(call) {
    const script = SCRIPTS[call.args[0] ?? ''];
    if (script === undefined) throw new UsageError('name a shell: bash, zsh or fish');
    call.terminal.out(script(await completions()));
    return 0;
  },
};

async function completions(): Promise<Completion[]> {
  const visible = Object.entries(COMMANDS).filter(([, entry]) => entry.hidden !== true);
  return await Promise.all(
    visible.map(async ([name, { summary, load }]) => {
      const described = new Command(name);
      (await load()).describe(described);
      addGlobalOptions(described);
      const options = described.options.flatMap(({ long }) => long ?? []);
      return { name, summary, options };
    }),
  );
}

function bashScript(commands: readonly Completion[]): string {
  const cases = commands.map(({ name, options }) => `    ${name}) words="${options.join(' ')}" ;;`);
  return `_dragoman() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="${commands.map(({ name }) => name).join(' ')}" ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${commands.map(({ name }) => name).join(' ')}"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _dragoman dragoman`;
}

function zshScript(commands: readonly Completion[]): string {
  const names = commands.map(({ name, summary }) => `    '${name}:${quote(summary)}'`);
  const cases = commands.map(
    ({ name, options }) => `    ${name}) compadd -- ${options.join(' ')}; _files ;;`,
  );
  return `#compdef dragoman
_dragoman() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case "$words[2]" in
${cases.join('\n')}
  esac
}
_dragoman "$@"`;
}

function fishScript(commands: readonly Completion[]): string {
  const names = commands.map(
    ({ name, summary }) =>
      `complete -c dragoman -n __fish_use_subcommand -a ${name} -d '${quote(summary)}'`,
  );
  const options = commands.flatMap(({ name, options }) =>
    options.map(
      (option) =>
        `complete -c dragoman -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`,
    ),
  );
  return [...names, ...options].join('\n');
}

function quote(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(':', '\\:');
}
