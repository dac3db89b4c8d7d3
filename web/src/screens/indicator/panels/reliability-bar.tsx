import css from './sources-section.module.css';

const STEPS = [1, 2, 3, 4, 5] as const;

export function ReliabilityBar({ reliability }: { reliability: number }) {
  const filled = Math.round(reliability * STEPS.length);
  return (
    <span className={css.reliability}>
      <span className={css.steps} aria-hidden="true">
        {STEPS.map((step) => (
          <span key={step} data-filled={step <= filled} />
        ))}
      </span>
      <span className="mono">{reliability.toFixed(2)}</span>
    </span>
  );
}
