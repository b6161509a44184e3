#!/usr/bin/env node
// A file of its own: if all names of a package lead to one file, `npm create` runs and prints the first of them.
import '../dist/bin/create-virgule.js';
