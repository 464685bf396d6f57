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
import { addSettings, settingsOf } from './settings.ts';

const FAULTS_REPORTED_MAX = 20;
const BATCH_EVENTS = 500;
/** A service that counts makes room within this time. */
const PATIENCE_MS = 30_000;
const LOOK_MS = 200;

/** `posts import`: works beside a running service, which counts what it finds within seconds. */
export function postsCommand(): Command {
  return new Command('posts')
    .description('Bring posts about tokens.')
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
    .description('Hand posts over to the service of a data folder: one JSON object a line.')
    .argument('[file]', 'file of JSON lines; standard input if left out')
    .option('--json', 'print the outcome as JSON')
    .addHelpText(
      'after',
      `
A line is {"platform", "postId", "author": {"id", "handle", "followers", "following", "createdAtMs",
"postCount"}, "text", "url", "links", "reposts", "createdAtMs"}; platform ("import" without it), url,
links, reposts and what is beside an author's id may be left out. {"deleted": true, "platform",
"postId"} takes a post back. A post is counted once however often it comes, in the minute in which it
was written, for the tokens it names that were tracked then.

Examples:
  mintscope posts import posts.jsonl --data-dir /var/lib/mintscope
  zcat posts.jsonl.gz | mintscope posts import --json`,
    );
  return addSettings(command, false).action(
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
    if (line.kind === 'news') events.push(line.events);
    else if (outcome.refused++ < FAULTS_REPORTED_MAX) {
      process.stderr.write(`line ${line.line}: ${printable(line.message)}\n`);
    }
  }
  for (let at = 0; at < events.length; at += BATCH_EVENTS) {
    await putInTime(inbox, events.slice(at, at + BATCH_EVENTS), outcome);
  }
}

/** Waits while there is no room, as long as a service makes some. */
async function putInTime(
  inbox: PostsInbox,
  events: readonly PostEvent[],
  outcome: Outcome,
): Promise<void> {
  let sinceMs = performance.now();
  for (let waiting = inbox.waiting(); !inbox.put(events); ) {
    await delay(LOOK_MS);
    const now = inbox.waiting();
    if (now !== waiting) sinceMs = performance.now();
    waiting = now;
    if (performance.now() - sinceMs > PATIENCE_MS) {
      throw new UsageError(
        `${outcome.accepted} posts wait and nobody counts them: start the service, then import the ` +
          'same file again (no post counts twice).',
      );
    }
  }
  outcome.accepted += events.length;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
