@_exported public import PaviseLab
