import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { blocks, fenced } from '../markdown/compose.ts';
import { markdownUrl, type SitePage } from '../site-page.ts';

const FILES = 'docs/rules/library/*.yaml';

interface LibraryRule {
  readonly title: string;
  readonly kind: string;
  readonly pattern: string;
  readonly rationale: string;
}

/** The rules in the repository at `root` that are there to begin with, whole. */
export function ruleLibraryPage(root: string): SitePage {
  const title = 'A library of rules';
  const summary = 'Rules to begin with, each with its tests.';
  const rules = globSync(FILES, { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const rule = parse(text) as LibraryRule;
      return [
        `## ${rule.title}`,
        `*${rule.kind}.* ${rule.pattern} ${rule.rationale}`,
        fenced('yaml', text.trimEnd()),
      ];
    });
  const markdown = blocks(
    `# ${title}`,
    summary,
    `How rules are written is described in [rules](${markdownUrl('rules')}), what the hits of these are worth in a [report](${markdownUrl('quality/rule-library')}).`,
    ...rules,
  );
  return { path: 'rule-library', group: 'Reference', title, summary, markdown };
}
