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
              Better than that share of people with as many closed positions. Smart from 90 with ten
              of them and twice as much won as lost while organic, until below 80.
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
  const below = Math.round(Number(skill.peers_below));
  const peers = Math.round(Number(skill.peers));
  return (
    <p class="muted small">
      The merit is {skill.merit}, the sum of the contributions: more than {below} of {peers} people
      with as many closed positions have. Returns are natural logarithms beyond those of purchases
      at the same hour, age and market cap; above 0, luck is an unlikely explanation.
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
      <NamedFigure name="Mean return beyond luck">
        <Figure value={skill.skill_mean} kind="amount" />
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
    threshold: 0,
    weight: Number(term.weight),
    contribution: Number(term.contribution),
  };
}
