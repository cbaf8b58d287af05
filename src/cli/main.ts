#!/usr/bin/env node
import { runCommandLine } from './program.js';

await runCommandLine();
