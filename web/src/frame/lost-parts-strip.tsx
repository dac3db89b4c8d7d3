import { fetchLostParts, useLostParts } from '../service/persistently.ts';
import { Button } from '../ui/button.tsx';
import css from './strip.module.css';

export function LostPartsStrip() {
  const lost = useLostParts();
  if (lost === 0) return null;
  return (
    <div className={css.strip} role="status">
      {lost === 1 ? 'One part of this page has' : `${lost} parts of this page have`} not loaded. What is
      missing is fetched again by itself.{' '}
      <Button look="plain" onClick={fetchLostParts}>
        Try again
      </Button>
    </div>
  );
}
