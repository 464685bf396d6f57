import { formatPercent } from '../../format/numbers.ts';
import { Badge } from '../../ui/badge.tsx';
import { type Bar, Bars } from '../../ui/bars.tsx';
import { Figure, FigureRow, NamedFigure } from '../../ui/figure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { Instant, Profit } from './summary.tsx';
import type { Skill } from './wallet-types.ts';

/** How well the wallet trades, and what the score is made of. */
export function SkillPanel({ skill }: { readonly skill: Skill | null }) {
  return (
    <Panel title="Trading skill" actions={<SkillBadge skill={skill} />}>
      {skill === null ? (
        <Empty>No position has been closed yet, so skill is unknown.</Empty>
      ) : (
        <>
          <p>
            <strong>{skill.score}</strong> of 100.{' '}
            <span class="muted">
              Smart from 50 with ten closed positions while organic, until below 40.
            </span>
          </p>
          <Bars label="Terms of the skill score" bars={skill.terms.map(barOf)} tone="good" />
          <Sum skill={skill} />
          <Episodes skill={skill} />
        </>
      )}
    </Panel>
  );
}

/** Fewer closed positions than this say nothing. */
const EPISODES_MIN = 10;

function SkillBadge({ skill }: { readonly skill: Skill | null }) {
  if (skill === null) return <Badge>Unknown</Badge>;
  if (skill.is_smart) return <Badge tone="accent">Smart</Badge>;
  return <Badge>{Number(skill.episodes) < EPISODES_MIN ? 'Too few to say' : 'Not smart'}</Badge>;
}

function Sum({ skill }: { readonly skill: Skill }) {
  const total = skill.terms.reduce((sum, { contribution }) => sum + Number(contribution), 0);
  const factor = Number(skill.concentration_factor);
  const share = formatPercent(skill.concentration);
  return (
    <p class="muted small">
      {total.toFixed(2)} points times {factor}, because {share} of the profit comes from one token
      {factor === 1 ? ', which lowers nothing.' : '; from 50 % on that lowers the score.'}
    </p>
  );
}

function Episodes({ skill }: { readonly skill: Skill }) {
  return (
    <FigureRow>
      <NamedFigure name="Closed positions, weighted by age">
        <Figure value={skill.episodes} kind="amount" />
      </NamedFigure>
      <NamedFigure name="Of them won">
        <Figure value={skill.wins} kind="amount" />
      </NamedFigure>
      <NamedFigure name="Profit, weighted by age">
        <Profit value={skill.profit_usd} />
      </NamedFigure>
      <NamedFigure name="Left out">
        <span title="Own tokens, received tokens and purchases in the launch slot are no evidence of skill">
          {skill.excluded_episodes}
        </span>
      </NamedFigure>
      <NamedFigure name="Last closed">
        <Instant instant={skill.last_episode_at} />
      </NamedFigure>
    </FigureRow>
  );
}

function barOf({ feature, value, ...term }: Skill['terms'][number]): Bar {
  return {
    name: feature,
    value: Number(value),
    threshold: Number(term.starts_at),
    fullAt: Number(term.full_at),
    weight: Number(term.weight),
    contribution: Number(term.contribution),
  };
}
