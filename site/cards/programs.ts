import { DECODER_VERSION } from '../../src/decoders/registry.ts';
import { DEX_NAME_OF_VENUE, isVenue } from '../../src/model/program.ts';
import { isCurveVenue, isRangeVenue } from '../../src/model/venue-kinds.ts';
import { blocks, code, list, table } from '../markdown/compose.ts';
import { markdownUrl, type SitePage } from '../site-page.ts';
import { type ProgramCard, readProgramCards } from './program-cards.ts';

/** The page of all programs that are decoded. */
export async function programsPage(root: string): Promise<SitePage> {
  const title = 'Programs';
  const cards = await readProgramCards(root);
  const summary = `The ${cards.length} programs whose instructions are decoded, and what is read of each.`;
  const venues = cards.filter(({ decoder }) => decoder.isVenue);
  const others = cards.filter(({ decoder }) => !decoder.isVenue);
  const markdown = blocks(
    `# ${title}`,
    summary,
    `Version ${DECODER_VERSION} of the decoders. What is not listed here is still noticed: a program whose transfers show a swap is recorded as \`${DEX_NAME_OF_VENUE.inferred}\`, and \`GET /v1/coverage\` counts what is unknown, malformed or quarantined, program by program. How exact the decoders are is measured in [quality](${markdownUrl('quality/decoders')}).`,
    '## All programs',
    table(['Program', 'Kind', 'Name in answers and filters', 'Address'], cards.map(row)),
    '## Venues',
    ...venues.map(section),
    '## Routers, lockers and token programs',
    ...others.map(section),
  );
  return { path: 'programs', group: 'Reference', title, summary, markdown };
}

function row({ decoder: { name, programId, isVenue: ownsPools } }: ProgramCard): readonly string[] {
  const { kind, dexName } = kindOf(name);
  return [`[${code(name)}](#${name})`, ownsPools ? kind : 'no venue', dexName, code(programId)];
}

function kindOf(name: ProgramCard['decoder']['name']): { kind: string; dexName: string } {
  if (!isVenue(name)) return { kind: '', dexName: code(name) };
  const kinds = [isCurveVenue(name) && 'bonding curves', isRangeVenue(name) && 'price ranges'];
  const kind = kinds.filter((text) => text !== false).join(', ');
  return { kind: kind === '' ? 'pools' : kind, dexName: code(DEX_NAME_OF_VENUE[name]) };
}

function section({ decoder, text, file }: ProgramCard): string {
  const read = Object.keys(decoder.layout?.instructions ?? {});
  const ignored = Object.keys(decoder.layout?.ignoredInstructions ?? {});
  const facts = [
    `Address: ${code(decoder.programId)}`,
    read.length === 0 ? '' : `Instructions that are read: ${read.map(code).join(', ')}`,
    ignored.length === 0
      ? ''
      : `Known to move nothing of interest: ${ignored.map(code).join(', ')}`,
    `Source: ${code(file)}`,
  ];
  const parts = [`### ${decoder.name}`, text, list(facts.filter((fact) => fact !== ''))];
  return parts.join('\n\n');
}
