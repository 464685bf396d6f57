import { Command } from 'commander';
import {
  addServiceOptions,
  type ServiceOptions,
  serviceAddressOf,
} from '../client/service-address.ts';
import { printable } from '../printable.ts';
import { rulesAt } from './rule-paths.ts';
import { rulesOfService } from './service-rules.ts';

/** `rules diff`: what publishing the files would change. */
export function diffCommand(): Command {
  const command = new Command('diff')
    .description('Show which rules of files differ from those that the account has published.')
    .argument('<paths...>', 'rule files, or folders with *.yaml files')
    .addHelpText(
      'after',
      `
A rule that differs needs a higher version to be published. The exit code is 1 if something differs.

Examples:
  mintscope rules diff rules/
  mintscope rules diff dip.yaml --json`,
    );
  return addServiceOptions(command).action(async (paths: string[], options: ServiceOptions) => {
    const published = (await rulesOfService(serviceAddressOf(options))).filter(
      ({ author }) => author === 'account',
    );
    const named = new Set<string>();
    for (const { file, rule, problems } of rulesAt(paths)) {
      const known = published.find(({ name }) => name === rule?.file.name);
      if (known !== undefined) named.add(known.name);
      print({ file, from: known?.rule_id ?? null, to: rule?.id ?? null, problems }, options);
    }
    for (const { name, rule_id } of published) {
      if (!named.has(name)) print({ file: null, from: rule_id, to: null, problems: [] }, options);
    }
  });
}

interface Difference {
  readonly file: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly problems: readonly string[];
}

function print(difference: Difference, { json }: ServiceOptions): void {
  const { file, from, to, problems } = difference;
  const isSame = from === to && problems.length === 0;
  if (!isSame) process.exitCode = 1;
  if (json === true) {
    process.stdout.write(`${JSON.stringify(difference)}\n`);
    return;
  }
  const change = isSame ? `same  ${to}` : `${from ?? 'new'} -> ${to ?? 'not among the files'}`;
  const lines = problems.length > 0 ? problems.map((text) => `${file}: ${text}`) : [change];
  for (const line of lines) process.stdout.write(`${printable(line)}\n`);
}
