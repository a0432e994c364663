process.stderr.write('boxyard: the desktop is being written\n')
