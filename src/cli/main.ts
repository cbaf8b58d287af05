#!/usr/bin/env node
import { keepCompiledCode } from '../config/compile-cache.js';

keepCompiledCode();
const { runCommandLine } = await import('./program.js');
await runCommandLine();
