import { go } from '../navigation/place.ts';
import { permalinkOf, type Target } from './permalink.ts';

export const openIndicator = (target: Target, way: 'push' | 'replace' = 'push'): void =>
  go(permalinkOf(target), { replace: way === 'replace' });
