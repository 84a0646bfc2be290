"""``python -m vicinal``: the command line, where its script is not on the path."""

from vicinal.cli import main

if __name__ == "__main__":
    main()
