import { type Finding, fail, ok, type Verdict, warn } from './finding.ts';
import type { HostFacts } from './host-facts.ts';

const GIB = 2 ** 30;
const DISK_WARN_BYTES = 20 * GIB;
const DISK_FAIL_BYTES = GIB;
const MEMORY_WARN_BYTES = 4 * GIB;
/** The lanes of the store alone may need this much. */
const MEMORY_FAIL_BYTES = 2 * GIB;
/** The embedded engine opens every part of every table. */
const OPEN_FILES_WARN = 4_096;
/** The release that the service is tested with. */
const NODE_MAJOR = 24;

/** Judges whether this machine is suitable for the service. */
export function judgeHost(facts: HostFacts): Finding[] {
  const verdicts = [
    judgeFolder(facts),
    judgeDisk(facts.freeBytes),
    judgeMemory(facts.memoryBytes),
    judgeOpenFiles(facts.openFilesMax),
    judgeRuntime(facts.nodeVersion),
  ];
  return verdicts.map((verdict) => ({ ...verdict, subject: 'this machine' }));
}

function judgeFolder({ dataDir, folder }: HostFacts): Verdict {
  const other = 'Name another one with --data-dir.';
  switch (folder) {
    case 'new':
      return ok('folder', `${dataDir} can be made`);
    case 'empty':
      return ok('folder', `${dataDir} is empty and can be written`);
    case 'ours':
      return ok('folder', `${dataDir} contains data of earlier runs and can be written`);
    case 'used': {
      const advice = 'backfill and audit need exclusive access: stop that process first.';
      return warn('folder', `${dataDir} is in use by a running process`, advice);
    }
    case 'foreign':
      return fail('folder', `${dataDir} contains other files`, other);
    case 'unwritable':
      return fail('folder', `${dataDir} cannot be written`, other);
    case 'of-others': {
      const advice = 'Name one of your own with --data-dir, or change its owner (chown -R).';
      return fail('folder', `${dataDir} belongs to another user`, advice);
    }
  }
}

function judgeDisk(freeBytes: number | null): Verdict {
  if (freeBytes === null) {
    return warn('disk', 'free space is unknown', 'Make sure that there is enough.');
  }
  const message = `${gibibytes(freeBytes)} free`;
  const advice = 'Free some, or name a folder on a larger disk with --data-dir.';
  if (freeBytes < DISK_FAIL_BYTES) return fail('disk', message, advice);
  return freeBytes < DISK_WARN_BYTES ? warn('disk', message, advice) : ok('disk', message);
}

function judgeMemory(memoryBytes: number): Verdict {
  const message = `${gibibytes(memoryBytes)} available to this process`;
  const advice = 'Give the machine or the container at least 4 GiB.';
  if (memoryBytes < MEMORY_FAIL_BYTES) return fail('memory', message, advice);
  return memoryBytes < MEMORY_WARN_BYTES ? warn('memory', message, advice) : ok('memory', message);
}

export function judgeOpenFiles(openFilesMax: number | null): Verdict {
  if (openFilesMax === null) return ok('files', 'no limit reported');
  const message = `${openFilesMax} files may be open`;
  if (openFilesMax >= OPEN_FILES_WARN) return ok('files', message);
  return warn(
    'files',
    message,
    `Raise it with "ulimit -n ${OPEN_FILES_WARN * 4}", LimitNOFILE= of a unit or ulimits of a container.`,
  );
}

function judgeRuntime(version: string): Verdict {
  const message = `Node ${version}`;
  if (Number(version.split('.')[0]) >= NODE_MAJOR) return ok('runtime', message);
  const advice = `Run it by "npm run -s mintscope", which uses Node ${NODE_MAJOR}.`;
  return warn('runtime', message, advice);
}

function gibibytes(bytes: number): string {
  return `${(bytes / GIB).toFixed(1)} GiB`;
}
