/** What is done with a block of commands: run in order, started beside them, or only shown. */
export type BlockKind = 'run' | 'service' | 'shown';

export interface GuideBlock {
  readonly kind: BlockKind;
  readonly commands: string;
  /** Line of the document where the block begins, from 1. */
  readonly line: number;
}

const KINDS: Readonly<Record<string, BlockKind>> = {
  '': 'run',
  service: 'service',
  'not-run': 'shown',
};

/**
 * The blocks of shell commands of a guide, in order. All are run by a test, those marked `service`
 * beside the others, except those marked `not-run`. Throws for another mark.
 */
export function guideBlocks(markdown: string): readonly GuideBlock[] {
  const found = markdown.matchAll(/^```sh ?(.*)\n([\s\S]*?)^```$/gm);
  return [...found].map(({ 1: mark = '', 2: commands = '', index }) => {
    const kind = KINDS[mark];
    const line = markdown.slice(0, index).split('\n').length;
    if (kind === undefined) throw new Error(`Line ${line} marks a block as "${mark}".`);
    return { kind, commands, line };
  });
}
