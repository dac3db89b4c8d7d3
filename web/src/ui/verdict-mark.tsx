import type { VerdictTone } from '@assay/sdk';
import css from './verdict-mark.module.css';
import { visibleText } from './visible-parts.ts';

/**
 * The tones of the rungs, and `infrastructure` and `accuses` for what a single source says. Each has its own shape.
 * Malicious and critical risk are filled in one red and differ by shape; other neighbouring rungs differ by filling or hue.
 */
export type Tone = VerdictTone | 'infrastructure' | 'accuses';

/** Only this component and the charts colour evidence. Shape and word carry the meaning; colour repeats it. */
export function VerdictMark({
  tone,
  word,
  size = 'tag',
}: {
  tone: Tone;
  word: string;
  size?: 'tag' | 'large';
}) {
  if (size === 'large')
    return (
      <span className={css.large} data-tone={tone}>
        <VerdictShape tone={tone} px={24} />
        <span>{visibleText(word)}</span>
      </span>
    );
  return (
    <span className={css.tag} data-tone={tone}>
      <VerdictShape tone={tone} px={11} />
      {visibleText(word)}
    </span>
  );
}

export function VerdictShape({ tone, px }: { tone: Tone; px: number }) {
  return (
    <svg width={px} height={px} viewBox="0 0 30 30" aria-hidden="true" className={css.shape} data-tone={tone}>
      {SHAPES[tone]}
    </svg>
  );
}

const SHAPES: Readonly<Record<Tone, React.ReactNode>> = {
  malicious: <circle cx="15" cy="15" r="12" fill="currentColor" />,
  'critical-risk': <path d="M10 3h10l7 7v10l-7 7H10l-7-7V10Z" fill="currentColor" />,
  'high-risk': (
    <g fill="none" stroke="currentColor" strokeWidth="3">
      <circle cx="15" cy="15" r="11" />
      <circle cx="15" cy="15" r="3.4" fill="currentColor" stroke="none" />
    </g>
  ),
  suspicious: (
    <g fill="none" stroke="currentColor" strokeWidth="2.6" strokeLinejoin="round" strokeLinecap="round">
      <path d="M15 3 28 26H2Z" />
      <path d="M15 11v7M15 21.5v1" />
    </g>
  ),
  reported: (
    <path d="M4 8h22L15 25Z" fill="none" stroke="currentColor" strokeWidth="2.6" strokeLinejoin="round" />
  ),
  accuses: <path d="M15 4 27 25H3Z" fill="currentColor" />,
  unknown: (
    <g fill="none" stroke="currentColor" strokeWidth="2.8" strokeLinecap="round">
      <path d="M10.5 11a4.5 4.5 0 1 1 6.6 4c-1.5.8-2.1 1.6-2.1 3.4" />
      <path d="M15 23.4v.2" />
    </g>
  ),
  good: <rect x="4" y="4" width="22" height="22" fill="currentColor" />,
  infrastructure: (
    <path
      d="M15 3 27 15 15 27 3 15Z"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.6"
      strokeLinejoin="round"
    />
  ),
  neutral: <path d="M6 15h18" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />,
};
