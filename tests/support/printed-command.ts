import type { Command } from 'commander';
import { vi } from 'vitest';

/** What a command printed, and how it ended. */
export interface PrintedCommand {
  readonly stdout: string;
  readonly stderr: string;
  /** 0 unless the command sets another. Errors are thrown, and get theirs in main.ts. */
  readonly exitCode: number;
}

/** Runs a command in this process. Throws what it throws, and CommanderError for --help. */
export async function printCommand(
  command: Command,
  ...args: readonly string[]
): Promise<PrintedCommand> {
  const printed = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    }),
  );
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    await command.exitOverride().parseAsync(args, { from: 'user' });
    return { ...printed, exitCode: Number(process.exitCode) };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
}

/** The help of a command, with its examples. */
export function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text;
}
