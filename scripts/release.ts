/**
 * Checks everything that a release needs, runs the tests and sets the tag: npm run release
 *
 *     npm run release -- --dry-run          only the checks; changes nothing
 *     npm run release -- --dry-run --json   the same as one JSON document
 *
 * Publishing is left to a person: the last lines say how. Exit code 1 if a check failed.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { answerHelp } from './answer-help.ts';
import { RELEASE_CHECKS } from './release/checks.ts';
import { tagOf } from './release/release-check.ts';
import { reasonOf, runCommand } from './release/run-command.ts';

answerHelp(`Checks everything that a release needs, runs the tests and sets the tag.

  --dry-run   only the checks; changes nothing
  --json      the result as one JSON document

Example:
  npm run release -- --dry-run`);

const ROOT = resolve(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string;
};
const tag = tagOf(version);
const print = (text: string) => {
  if (!values.json) console.log(text);
};

const checks = RELEASE_CHECKS.map(({ name, run }) => {
  const result = run({ root: ROOT, version });
  print(`${result.status === 'ok' ? 'ok    ' : 'failed'}  ${name}: ${result.detail}`);
  if (result.status === 'failed') print(`        ${result.wayOut}`);
  return { name, ...result };
});
const failures = checks.filter(({ status }) => status === 'failed');
const isDone = failures.length === 0 && (values['dry-run'] || release());
if (values.json) {
  console.log(
    JSON.stringify({ version, tag, dry_run: values['dry-run'], ok: isDone, checks }, null, 2),
  );
} else if (failures.length > 0) {
  print(`${failures.length} of ${checks.length} checks failed: ${tag} cannot be released.`);
} else if (values['dry-run']) {
  print(
    `All ${checks.length} checks passed. Without --dry-run, "npm test" runs and ${tag} is set.`,
  );
}
process.exitCode = isDone ? 0 : 1;

/** Runs the tests and sets the tag. */
function release(): boolean {
  const tested = spawnSync('npm', ['test'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (tested.status !== 0) {
    print('failed  npm test: see above. Nothing was changed.');
    return false;
  }
  const tagged = runCommand(
    'git',
    ['tag', '--annotate', tag, '--message', `Release ${version}`],
    ROOT,
  );
  if (tagged.code !== 0) {
    print(`failed  tag: ${reasonOf(tagged)}`);
    return false;
  }
  print(`${tag} is set here and nowhere else. To publish:`);
  print(`  git push origin ${tag}`);
  print('  npm run pack            # build/mintscope-*.tgz, to be attached to the release');
  print(
    `  docker buildx build --platform linux/amd64,linux/arm64 --file deploy/Dockerfile --tag <registry>/mintscope:${version} --push .`,
  );
  return true;
}
