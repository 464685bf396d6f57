import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import { UsageError } from '../model/errors.ts';
import type { PostEvent } from '../model/social-post.ts';
import { type ImportedLine, readPosts } from '../social/collectors/import/read-posts.ts';
import { dataFolderAt, holdsData } from '../store/data-folder.ts';
import { openOffchainPlane } from '../store/offchain/offchain-plane.ts';
import { PostsInbox } from '../store/offchain/posts-inbox.ts';
import { openInput } from './open-input.ts';
import { printable } from './printable.ts';
import { addOnlySettings, settingsOf } from './settings.ts';

const FAULTS_REPORTED_MAX = 20;
const BATCH_EVENTS = 500;
/** A running service frees capacity within this time. */
const CAPACITY_WAIT_MS = 30_000;
const POLL_MS = 200;

/**
 * `posts import`: may be used while a service is running, which counts the posts within seconds.
 */
export function postsCommand(): Command {
  return new Command('posts')
    .description('Import posts about tokens.')
    .addCommand(importCommand())
    .addHelpText(
      'after',
      `
Examples:
  mintscope posts import posts.jsonl
  zcat posts.jsonl.gz | mintscope posts import`,
    );
}

function importCommand(): Command {
  const command = new Command('import')
    .description('Import posts into a data folder, one JSON object per line.')
    .argument('[file]', 'file of JSON lines; default standard input')
    .option('--json', 'print the outcome as JSON')
    .addHelpText(
      'after',
      `
A line is {"platform", "postId", "author": {"id", "handle", "followers", "following", "createdAtMs",
"postCount"}, "text", "url", "links", "reposts", "createdAtMs"}; platform (default "import"), url,
links, reposts and all fields of author except id are optional. {"deleted": true, "platform",
"postId"} deletes a post. A post is counted once even if it is imported repeatedly, in the minute in
which it was written, for the tokens it names that were tracked then.

Examples:
  mintscope posts import posts.jsonl --data-dir /var/lib/mintscope
  zcat posts.jsonl.gz | mintscope posts import --json`,
    );
  return addOnlySettings(command, ['dataDir']).action(
    async (file: string | undefined, options: Record<string, string | true>) => {
      const outcome = await importPosts(file, settingsOf(options).dataDir);
      if (options.json === true) print(JSON.stringify(outcome));
      else print(`${outcome.accepted} accepted, ${outcome.refused} refused`);
    },
  );
}

interface Outcome {
  accepted: number;
  refused: number;
}

async function importPosts(file: string | undefined, dataDir: string): Promise<Outcome> {
  const input = openInput(file);
  if (!holdsData(dataDir)) {
    throw new UsageError(`There is no data folder ${dataDir}: name it with --data-dir.`);
  }
  const database = openOffchainPlane(dataFolderAt(dataDir).offchainFile);
  const outcome = { accepted: 0, refused: 0 };
  try {
    const inbox = new PostsInbox(database);
    for await (const lines of readPosts(input, Date.now)) await putLines(inbox, lines, outcome);
  } finally {
    database.close();
  }
  return outcome;
}

async function putLines(
  inbox: PostsInbox,
  lines: readonly ImportedLine[],
  outcome: Outcome,
): Promise<void> {
  const events: PostEvent[] = [];
  for (const line of lines) {
    if (line.kind === 'event') events.push(line.event);
    else if (outcome.refused++ < FAULTS_REPORTED_MAX) {
      process.stderr.write(`line ${line.line}: ${printable(line.message)}\n`);
    }
  }
  for (let at = 0; at < events.length; at += BATCH_EVENTS) {
    await putInTime(inbox, events.slice(at, at + BATCH_EVENTS), outcome);
  }
}

/** Waits for capacity while a service keeps freeing some. */
async function putInTime(
  inbox: PostsInbox,
  events: readonly PostEvent[],
  outcome: Outcome,
): Promise<void> {
  let sinceMs = performance.now();
  for (let waiting = inbox.waiting(); !inbox.put(events); ) {
    await delay(POLL_MS);
    const now = inbox.waiting();
    if (now !== waiting) sinceMs = performance.now();
    waiting = now;
    if (performance.now() - sinceMs > CAPACITY_WAIT_MS) {
      throw new UsageError(
        `${outcome.accepted} posts are waiting and no service counts them: start the service, then ` +
          'import the same file again (no post is counted twice).',
      );
    }
  }
  outcome.accepted += events.length;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
