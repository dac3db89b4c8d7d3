import { qrCode } from './qr-code.ts';
import css from './security.module.css';

/** Modules of light around a code, without which readers do not find it. */
const QUIET = 4;

/** Drawn here, so that the secret in it reaches no other server. */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const grid = qrCode(text);
  const side = grid.length + 2 * QUIET;
  const path = grid
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      viewBox={`0 0 ${side} ${side}`}
      className={css.qr}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}
