import { apiStability, openApi } from './api-checks.ts';
import { documentation, installScripts, licences, lockFile, tarball } from './package-checks.ts';
import type { ReleaseCheck } from './release-check.ts';
import { changelog, cleanTree, testCommand, version } from './repository-checks.ts';

/** All conditions of a release, the quick ones first. */
export const RELEASE_CHECKS: readonly ReleaseCheck[] = [
  cleanTree,
  version,
  changelog,
  testCommand,
  lockFile,
  licences,
  installScripts,
  openApi,
  apiStability,
  documentation,
  tarball,
];
