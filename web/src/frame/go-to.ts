import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type Action, useActions } from './actions.ts';

export function useGoToActions(): void {
  const navigate = useNavigate();
  useActions(
    useMemo<readonly Action[]>(
      () => [
        {
          id: 'go-check',
          title: 'Check',
          group: 'Go to',
          keys: 'g c',
          run: () => void navigate({ to: '/' }),
        },
        {
          id: 'go-bulk',
          title: 'Bulk triage',
          group: 'Go to',
          keys: 'g b',
          run: () => void navigate({ to: '/bulk' }),
        },
        {
          id: 'go-overview',
          title: 'Overview',
          group: 'Go to',
          keys: 'g o',
          run: () => void navigate({ to: '/overview' }),
        },
        {
          id: 'go-freshness',
          title: 'Data freshness',
          group: 'Go to',
          keys: 'g d',
          run: () => void navigate({ to: '/status/data' }),
        },
      ],
      [navigate],
    ),
  );
}
