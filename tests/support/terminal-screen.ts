import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Debian's bsdutils and coreutils; without them there is no terminal to test on. */
export const HAS_TERMINAL = ['/usr/bin/script', '/usr/bin/stty'].every(existsSync);

const ESC = '\u001b';
const TOKENS = new RegExp(`${ESC}\\[[0-9;?]*[A-Za-z]|[\\s\\S]`, 'gu');
const STYLE = new RegExp(`^${ESC}\\[[0-9;]*m$`);
const ROWS_UP = new RegExp(`^${ESC}\\[(\\d+)A$`);

/**
 * The lines that a terminal shows after this output, with what scrolled away. Knows what the command
 * line sends: styles, erasing of the line and of what follows, and rows up. Throws for anything else.
 */
export function screenOf(output: string): string[] {
  const screen = new Screen();
  for (const [token] of output.matchAll(TOKENS)) screen.take(token);
  return screen.lines.map((line) => line.trimEnd());
}

class Screen {
  readonly lines = [''];
  private row = 0;
  private column = 0;

  take(token: string): void {
    if (token.startsWith(ESC)) this.obey(token);
    else if (token === '\r') this.column = 0;
    else if (token === '\n') {
      this.row++;
      this.lines[this.row] ??= '';
    } else this.put(token);
  }

  private put(character: string): void {
    const line = this.line.padEnd(this.column);
    const end = this.column + character.length;
    this.lines[this.row] = line.slice(0, this.column) + character + line.slice(end);
    this.column = end;
  }

  private obey(sequence: string): void {
    const [, rows] = ROWS_UP.exec(sequence) ?? [];
    if (sequence === `${ESC}[2K`) this.lines[this.row] = '';
    else if (sequence === `${ESC}[J`) {
      this.lines.length = this.row + 1;
      this.lines[this.row] = this.line.slice(0, this.column);
    } else if (rows !== undefined) this.row = Math.max(0, this.row - Number(rows));
    else if (!STYLE.test(sequence)) throw new Error(`${JSON.stringify(sequence)} is not expected`);
  }

  private get line(): string {
    return this.lines[this.row] ?? '';
  }
}

/** A command of the project's command line on a terminal of its own. */
export class TerminalCommand {
  /** All that it sent to its terminal so far. */
  output = '';
  readonly finished: Promise<number | null>;
  private readonly pseudoTerminal: ReturnType<typeof spawn>;
  private hasEnded = false;

  constructor(
    args: readonly string[],
    columns: number,
    environment: Readonly<Record<string, string>> = {},
  ) {
    const program = [
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      resolve('src/main.ts'),
    ];
    const command = [...program, ...args].map((word) => `'${word}'`).join(' ');
    this.pseudoTerminal = spawn(
      '/usr/bin/script',
      // The shell prints its process ID, so that it can be sent a signal.
      ['-qec', `stty cols ${columns} -echo; echo "pid $$"; exec ${command}`, '/dev/null'],
      {
        env: {
          PATH: process.env.PATH,
          TERM: 'xterm',
          UV_THREADPOOL_SIZE: '16',
          NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled'),
          ...environment,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    this.pseudoTerminal.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
    });
    this.finished = new Promise((done) => {
      this.pseudoTerminal.on('close', (code) => {
        this.hasEnded = true;
        done(code);
      });
    });
  }

  /** Sends a signal to the command itself, if it has not ended. */
  kill(signal: NodeJS.Signals): void {
    const [, pid] = /pid (\d+)/.exec(this.output) ?? [];
    if (pid !== undefined && !this.hasEnded) process.kill(Number(pid), signal);
  }

  /** What the terminal shows, without the line with the process ID. */
  get screen(): string[] {
    return screenOf(this.output).slice(1);
  }

  /** Resolves once the output shows the pattern. */
  async shows(pattern: RegExp, timeoutMs = 150_000): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!pattern.test(this.output)) {
      if (performance.now() > deadline || this.hasEnded) {
        throw new Error(`${pattern} was never shown:\n${this.output}`);
      }
      await new Promise((wake) => setTimeout(wake, 20));
    }
  }
}
