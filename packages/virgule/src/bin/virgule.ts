#!/usr/bin/env node
import { createProcessIo } from '../process/process-io.js';
import { run } from '../cli/run.js';

process.exitCode = await run(process.argv.slice(2), createProcessIo());
