import { useEffect } from 'react';
import { words } from '../words/index.js';

export function useTitle(page: string): void {
  useEffect(() => {
    document.title = words.frame.title(page);
  }, [page]);
}
